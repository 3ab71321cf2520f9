import { isJsonObject } from '#event-sourcing';
import { type CommandRules } from '../command-rule.js';
import { type RecordReview } from '../context.command.js';
import { RuleViolationError } from '../context.errors.js';
import { type EventData } from '../context.events.js';
import { type ItemLookup } from '../item.js';
import { asJson, defined, jsonEquals, member } from '../json.js';
import { identifier } from '../payload.schema.js';
import { newestReviewKey } from './newest-review.js';
import { issueKey, reviewKey } from './review.fold.js';

type ReviewData = RecordReview['data'];
type Review = EventData<'ReviewRecorded'>;

export const reviewRules: CommandRules<'RecordReview'> = {
  RecordReview: {
    reads: ({ data }) => {
      const { keyIssues, addresses = [] } = reviewOf(data);
      const issues = new Set([...keyIssues.map(({ issueId }) => issueId), ...addresses]);
      return [
        reviewKey(data.reviewId),
        newestReviewKey(data.artifact),
        ...Array.from(issues, issueKey),
      ];
    },
    names: ({ data: { addresses = [] } }) => addresses.map(issueKey),
    decide: ({ data }, current) => {
      const review = reviewOf(data);
      if (isRepeated(review, current)) return [];
      requireDefaultIds(data, review, current);
      requireDistinctIssues(review);
      requireOwnIssues(review, current);
      requireAddressable(review, current);
      return [{ type: 'ReviewRecorded', data: review }];
    },
  },
};

/**
 * The review with its defaults: the ids of issues are numbered from 1 after the id of the review, and their severity is
 * `medium`.
 */
function reviewOf({ keyIssues = [], ...stated }: ReviewData): Review {
  const { reviewId, addresses, reviewFile, gate, reason, ...verdict } = stated;
  const issues = keyIssues.map(({ issueId, severity, text }, at) => ({
    issueId: issueId ?? `${reviewId}.${at + 1}`,
    severity: severity ?? 'medium',
    text,
  }));
  return defined({ reviewId, ...verdict, keyIssues: issues, addresses, reviewFile, gate, reason });
}

function isRepeated(review: Review, current: ItemLookup): boolean {
  const before = current('review', review.reviewId)?.body;
  if (before === undefined) return false;
  if (jsonEquals(before, asJson(review))) return true;
  throw new RuleViolationError(
    '/reviewId',
    'is the id of another review: choose another id, or leave it out for a new one',
  );
}

/** Checks that the default ids of issues are valid and not taken. */
function requireDefaultIds(
  { keyIssues = [] }: ReviewData,
  review: Review,
  current: ItemLookup,
): void {
  for (const [at, { issueId }] of review.keyIssues.entries()) {
    if (keyIssues[at]?.issueId !== undefined) continue;
    if (!identifier.safeParse(issueId).success)
      throw new RuleViolationError(
        issuePointer(at),
        'is required: the id of the review is too long to derive one from it',
      );
    if (current('issue', issueId))
      throw new RuleViolationError(
        issuePointer(at),
        `is required: the default id "${issueId}" is taken`,
      );
  }
}

function requireDistinctIssues({ keyIssues }: Review): void {
  const issueIds = new Set<string>();
  for (const [at, { issueId }] of keyIssues.entries()) {
    if (issueIds.has(issueId))
      throw new RuleViolationError(
        issuePointer(at),
        'occurs twice: choose another id for one of them',
      );
    issueIds.add(issueId);
  }
}

/** Reviewers often number issues from 1: a known id refers to the same issue only if the artifact is the same. */
function requireOwnIssues({ artifact, keyIssues }: Review, current: ItemLookup): void {
  for (const [at, { issueId }] of keyIssues.entries()) {
    const body = current('issue', issueId)?.body;
    if (isJsonObject(body) && member(body, 'artifact') !== artifact)
      throw new RuleViolationError(
        issuePointer(at),
        'names an issue of another artifact: choose another id',
      );
  }
}

function requireAddressable({ keyIssues, addresses = [] }: Review, current: ItemLookup): void {
  const own = new Set(keyIssues.map(({ issueId }) => issueId));
  for (const [at, issueId] of addresses.entries()) {
    if (own.has(issueId))
      throw new RuleViolationError(
        `/addresses/${at}`,
        'names an issue that this review raises: leave one of them out',
      );
    if (!current('issue', issueId))
      throw new RuleViolationError(
        `/addresses/${at}`,
        'names no issue of this context: the document lists the open ones as openIssues',
      );
  }
}

function issuePointer(at: number): string {
  return `/keyIssues/${at}/issueId`;
}
