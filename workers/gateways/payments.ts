import type { GatewayDispute } from '#shared/disputes/record-dispute.ts'
import type { StatusAtGateway } from '#shared/payments/apply-status.ts'
import type { GatewayEvent } from '#shared/payments/notification.ts'
import type { GatewayRefund } from '#shared/refunds/book-gateway-refund.ts'

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

export interface RefundReceipt {
  reference: string
  status: 'succeeded' | 'pending' | 'requires_action' | 'failed' | 'canceled'
  failureReason: string | null
}

/**
 * Every call that moves money carries an idempotency key, so a repeat moves nothing twice. A definite refusal throws
 * `GatewayRefusal`. After any other error (time-out, 5xx, a key still in use) the outcome is unknown: the caller repeats
 * the call with the same key.
 */
export interface PaymentGateway {
  /** The gateway remembers a key this long. A later repeat would be a new request: call `findRefund` first. */
  readonly keyLifetimeMs: number
  open(payment: {
    idempotencyKey: string
    amountMinor: bigint
    currency: string
    metadata: Record<string, string>
  }): Promise<OpenedPayment>
  cancel(payment: { idempotencyKey: string; reference: string }): Promise<void>
  /** The current status of a payment at the gateway. */
  readPayment(reference: string): Promise<StatusAtGateway>
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
  /** The events of these types since a time, in no certain order. The gateway keeps them for some weeks. */
  listEvents(filter: { since: Date; types: readonly string[] }): AsyncIterable<Omit<GatewayEvent, 'provider'>>
}
