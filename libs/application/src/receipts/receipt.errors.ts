import { DomainError } from '#event-sourcing';

/** What a write cites as a receipt is none of this server's, or not of a context that the key reaches. */
export class InvalidReceiptError extends DomainError<'invalid-header'> {
  readonly code = 'invalid-header';
}

/** The text of the receipt contained data that was erased. */
export class ReceiptErasedError extends DomainError<'receipt-erased'> {
  readonly code = 'receipt-erased';
}
