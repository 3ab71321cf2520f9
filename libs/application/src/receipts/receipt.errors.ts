import { DomainError } from '#event-sourcing';

/** A cited receipt was not issued by this server, or its context is out of reach of the key. */
export class InvalidReceiptError extends DomainError<'invalid-header'> {
  readonly code = 'invalid-header';
}

/** The text of the receipt contained data that was erased. */
export class ReceiptErasedError extends DomainError<'receipt-erased'> {
  readonly code = 'receipt-erased';
}
