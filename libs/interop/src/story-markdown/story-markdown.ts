import { type DocumentFormat } from '../documents/document-format.js';
import { readStoryDocuments } from './read-story-documents.js';
import { writeStory } from './write-story.js';

/** Story files in Markdown as agents write them, with the YAML files of their quality gates. */
export const storyMarkdownFormat: DocumentFormat = {
  name: 'story-markdown',
  mediaType: 'text/markdown',
  read: readStoryDocuments,
  write: writeStory,
};
