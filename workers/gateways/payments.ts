import type { GatewayDispute } from '#shared/disputes/record-dispute.ts'
import type { GatewayNotification } from '#shared/payments/notifications/notification.ts'
import type { StatusAtGateway } from '#shared/payments/notifications/settle-payment.ts'
import type { SavedCard } from '#shared/payments/saved-cards/saved-card.ts'
import type { ListedPayment } from '#shared/reconciliation/find-unequal.ts'
import type { GatewayRefund } from '#shared/refunds/gateway/book-gateway-refund.ts'

/** The gateway refused a request for good: a repeat would get the same response. */
export class GatewayRefusal extends Error {
  readonly reason: string

  constructor(reason: string, message: string) {
    super(message)
    this.name = 'GatewayRefusal'
    this.reason = reason
  }
}

export interface OpenedPayment {
  reference: string
  clientSecret: string
}

/**
 * A payment at the gateway, and the saved card that it was paid with: null when it is unpaid or its card is not saved.
 */
export type PaymentAtGateway = StatusAtGateway & { paymentMethod: string | null }

/** A request to save a card. `paymentMethod` is the saved card's reference, once it succeeded. */
export type SetupStatus = { status: 'open' | 'canceled' } | { status: 'succeeded'; paymentMethod: string }

/** The part of a card that a buyer may see. */
export type CardDetails = Omit<SavedCard, 'reference'>

/**
 * The result of a charge of a saved card. `declined` and `authentication_required` leave a payment at the gateway that
 * the buyer can still pay with its client secret. `processing`: the gateway reports the end later.
 */
export interface SavedCardCharge {
  reference: string
  clientSecret: string
  status: 'succeeded' | 'processing' | 'declined' | 'authentication_required'
  /** The gateway's reason, with `declined` and `authentication_required`. */
  declineCode?: string
}

export interface RefundReceipt {
  reference: string
  status: 'succeeded' | 'pending' | 'requires_action' | 'failed' | 'canceled'
  failureReason: string | null
}

/**
 * Every call that moves money carries an idempotency key, so a repeat moves nothing twice. A definite refusal throws
 * `GatewayRefusal`. After any other error (time-out, 5xx, a key still in use) the outcome is unknown: the caller
 * repeats the call with the same key.
 */
export interface PaymentGateway {
  /**
   * The gateway remembers a key this long. A later repeat would be a new request: call `listRefunds` or `findPayment`
   * first.
   */
  readonly keyLifetimeMs: number
  /**
   * Opens a payment, which the buyer pays with its client secret. With `customer`, a reference of `createCustomer`, it
   * is paid by card and the card is saved for that customer when it succeeds (`readPayment`).
   */
  open(payment: {
    idempotencyKey: string
    amountMinor: bigint
    currency: string
    customer?: string | undefined
    metadata: Record<string, string>
  }): Promise<OpenedPayment>
  /**
   * Cancels a payment. One that was captured or canceled before is a refusal: call `readPayment`. It has no key: a
   * repeat cancels nothing twice, and a refusal that the gateway keeps with a key would be returned after its reason
   * has ended.
   */
  cancel(reference: string): Promise<void>
  /** The current status of a payment at the gateway. */
  readPayment(reference: string): Promise<PaymentAtGateway>
  /** Creates a customer at the gateway, the owner of saved cards. */
  createCustomer(customer: {
    idempotencyKey: string
    metadata: Record<string, string>
  }): Promise<{ reference: string }>
  /** Opens a setup: the buyer saves a card for later charges with its client secret, and nothing is charged. */
  openSetup(setup: {
    idempotencyKey: string
    customer: string
    metadata: Record<string, string>
  }): Promise<OpenedPayment>
  /** Cancels an open setup. One that succeeded or was canceled before is a refusal: call `readSetup`. */
  cancelSetup(reference: string): Promise<void>
  readSetup(reference: string): Promise<SetupStatus>
  /**
   * Charges a saved card without the buyer. A decline is a result. A repeat with the same key returns the first result:
   * a buyer may have paid the payment since, so read it before acting on a repeated decline. A card that is not saved
   * for this customer any more, or an amount that cannot be charged, is a refusal: then there is no payment.
   */
  chargeSavedCard(charge: {
    idempotencyKey: string
    customer: string
    paymentMethod: string
    amountMinor: bigint
    currency: string
    metadata: Record<string, string>
  }): Promise<SavedCardCharge>
  /** A payment of a customer since a time whose metadata has these values; null when there is none. */
  findPayment(filter: {
    customer: string
    since: Date
    metadata: Record<string, string>
  }): Promise<OpenedPayment | null>
  /** The part of a card that a buyer may see. Also of one that is not saved any more. */
  readPaymentMethod(reference: string): Promise<CardDetails>
  /** Removes a saved card from its customer: it can never be charged again. A repeat changes nothing. */
  detachPaymentMethod(reference: string): Promise<void>
  refund(refund: {
    idempotencyKey: string
    paymentReference: string
    amountMinor: bigint
    currency: string
    metadata: Record<string, string>
  }): Promise<RefundReceipt>
  /** The current status of a refund at the gateway. */
  readRefund(reference: string): Promise<RefundReceipt>
  /** All refunds of a payment, those made at the gateway itself too. */
  listRefunds(paymentReference: string): Promise<GatewayRefund[]>
  /** The current status of a dispute at the gateway; null for one that is not of a payment of ours. */
  readDispute(reference: string): Promise<GatewayDispute | null>
  /** All disputes of a payment. */
  listDisputes(paymentReference: string): Promise<GatewayDispute[]>
  /** The payments that were opened at the gateway in a window, page after page, at a pace that it allows. */
  listPayments(window: { from: Date; to: Date }): AsyncIterable<ListedPayment>
  /** The refunds that the gateway made of any payment since a time, in the same way. */
  listRefundsSince(since: Date): AsyncIterable<GatewayRefund>
  /** The disputes of any payment since a time, in the same way. */
  listDisputesSince(since: Date): AsyncIterable<GatewayDispute>
  /** The notifications of these types since a time, in no certain order. The gateway keeps them for some weeks. */
  listNotifications(filter: { since: Date; types: readonly string[] }): AsyncIterable<ListedNotification>
  /** One notification. */
  readNotification(id: string): Promise<ListedNotification>
}

/** A notification as the gateway lists it. */
export type ListedNotification = Omit<GatewayNotification, 'provider'>
