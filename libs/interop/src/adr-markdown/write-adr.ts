import { type ContextToWrite, type WrittenDocuments } from '../documents/document-format.js';

export function writeAdrMarkdown({ sources }: ContextToWrite): WrittenDocuments {
  return {
    documents: sources.map(({ name, pieces }) => ({
      name,
      text: pieces.map(({ text }) => text).join(''),
    })),
    notCarried: [],
  };
}
