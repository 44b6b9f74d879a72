import type { GatewayDispute } from '#shared/disputes/record-dispute.ts'
import type { GatewayNotification } from '#shared/payments/notifications/receive-notification.ts'
import type { SavedCard } from '#shared/payments/saved-cards/saved-card.ts'
import type { StatusAtGateway } from '#shared/payments/status-at-gateway.ts'
import type { ListedPayment } from '#shared/reconciliation/find-unequal.ts'
import type { GatewayRefund } from '#shared/refunds/gateway/book-gateway-refund.ts'
import type { RefundOutcome } from '#shared/refunds/settle/settle-refund.ts'

/** Thrown if the gateway permanently refused a request: a repeat would get the same response. */
export class GatewayRefusal extends Error {
  readonly reason: string

  constructor(reason: string, message: string) {
    super(message)
    this.name = 'GatewayRefusal'
    this.reason = reason
  }
}

export interface OpenedIntent {
  reference: string
  clientSecret: string
}

/**
 * The status of a payment at the gateway, and the reference of the saved card that paid it; null if it is unpaid or the
 * card is not saved.
 */
export type PaymentAtGateway = StatusAtGateway & { cardReference: string | null }

/** The status of a card setup. `cardReference` is the reference of the saved card. */
export type SetupStatus = { status: 'open' | 'canceled' } | { status: 'succeeded'; cardReference: string }

/** The part of a card that a buyer may see. */
export type CardDetails = Omit<SavedCard, 'reference'>

/**
 * The result of a charge of a saved card. After `declined` and `authentication_required`, the buyer can still pay the
 * payment at the gateway with its client secret. `processing`: the gateway reports the result later.
 */
export interface SavedCardCharge {
  reference: string
  clientSecret: string
  status: 'succeeded' | 'processing' | 'declined' | 'authentication_required'
  /** The gateway's reason for `declined` and `authentication_required`. */
  declineCode?: string
}

/** The outcome of a refund that the gateway has. */
export type RefundReceipt = RefundOutcome & { reference: string }

/**
 * A payment gateway. Every call that moves money has an idempotency key, so a repeat moves nothing twice. A definite
 * refusal throws `GatewayRefusal`. After any other error (time-out, 5xx, a key still in use) the outcome is unknown,
 * and the caller repeats the call with the same key.
 */
export interface PaymentGateway {
  /**
   * The gateway remembers a key for this time. A later repeat would be a new request, so call `listRefunds` or
   * `findPayment` first.
   */
  readonly keyLifetimeMs: number
  /**
   * Opens a payment. The buyer pays it with its client secret. With `customer`, a reference of `createCustomer`, it is
   * paid by card, and a success saves the card for that customer (`readPayment`).
   */
  openPayment(payment: {
    idempotencyKey: string
    amountMinor: bigint
    currency: string
    customer?: string | undefined
    metadata: Record<string, string>
  }): Promise<OpenedIntent>
  /**
   * Cancels a payment. For a captured or canceled payment it throws a refusal: call `readPayment` then. It has no
   * idempotency key: a repeat is harmless, and with a key the gateway would repeat a refusal after its reason has
   * ended.
   */
  cancelPayment(reference: string): Promise<void>
  /** Reads the current status of a payment at the gateway. */
  readPayment(reference: string): Promise<PaymentAtGateway>
  /** Creates a customer at the gateway, the owner of saved cards. */
  createCustomer(customer: {
    idempotencyKey: string
    metadata: Record<string, string>
  }): Promise<{ reference: string }>
  /** Opens a setup. With its client secret the buyer saves a card for later charges. Nothing is charged. */
  openSetup(setup: {
    idempotencyKey: string
    customer: string
    metadata: Record<string, string>
  }): Promise<OpenedIntent>
  /** Cancels an open setup. For a succeeded or canceled setup it throws a refusal: call `readSetup` then. */
  cancelSetup(reference: string): Promise<void>
  readSetup(reference: string): Promise<SetupStatus>
  /**
   * Charges a saved card without the buyer. A decline is a result, not an error. A repeat with the same key returns the
   * first result, but the buyer may have paid the payment since: read it before you act on a repeated decline. If the
   * card is no longer saved for this customer, or the amount cannot be charged, it throws a refusal and there is no
   * payment.
   */
  chargeSavedCard(charge: {
    idempotencyKey: string
    customer: string
    cardReference: string
    amountMinor: bigint
    currency: string
    metadata: Record<string, string>
  }): Promise<SavedCardCharge>
  /** Finds a customer's payment since a time by its metadata; null if there is none. */
  findPayment(filter: {
    customer: string
    since: Date
    metadata: Record<string, string>
  }): Promise<OpenedIntent | null>
  /** Reads the part of a card that a buyer may see, even of a card that is no longer saved. */
  readCard(reference: string): Promise<CardDetails>
  /** Removes a saved card from its customer, so that it can never be charged again. A repeat changes nothing. */
  detachCard(reference: string): Promise<void>
  refund(refund: {
    idempotencyKey: string
    paymentReference: string
    amountMinor: bigint
    currency: string
    metadata: Record<string, string>
  }): Promise<RefundReceipt>
  /** Reads the current status of a refund at the gateway. */
  readRefund(reference: string): Promise<RefundReceipt>
  /** Lists all refunds of a payment, including those made at the gateway itself. */
  listRefunds(paymentReference: string): Promise<GatewayRefund[]>
  /** Reads the current status of a dispute at the gateway; null if the payment is not ours. */
  readDispute(reference: string): Promise<GatewayDispute | null>
  /** Lists all disputes of a payment. */
  listDisputes(paymentReference: string): Promise<GatewayDispute[]>
  /** Lists the payments that were opened at the gateway in a window, page by page, with pauses. */
  listPayments(window: { from: Date; to: Date }): AsyncIterable<ListedPayment>
  /** Lists all refunds at the gateway since a time, with pauses. */
  listRefundsSince(since: Date): AsyncIterable<GatewayRefund>
  /** Lists all disputes at the gateway since a time, with pauses. */
  listDisputesSince(since: Date): AsyncIterable<GatewayDispute>
  /** Lists the notifications of these types since a time, unsorted. The gateway keeps them for some weeks. */
  listNotifications(filter: { since: Date; types: readonly string[] }): AsyncIterable<ListedNotification>
  /** Reads one notification. */
  readNotification(id: string): Promise<ListedNotification>
}

/** A notification as the gateway lists it. */
export type ListedNotification = Omit<GatewayNotification, 'provider'>
