/** The fields of Stripe's objects that the sandbox supports. Amounts are in minor units, times in unix seconds. */
export type Metadata = Record<string, string>

type Base = {
  id: string
  created: number
  livemode: false
  metadata: Metadata
}

export type IntentStatus =
  | 'requires_payment_method'
  | 'requires_confirmation'
  | 'requires_action'
  | 'requires_capture'
  | 'succeeded'
  | 'canceled'

export type PaymentIntent = Base & {
  object: 'payment_intent'
  allowed_payment_method_types: string[] | null
  amount: number
  amount_capturable: number
  amount_received: number
  automatic_payment_methods: {
    enabled: boolean
    allow_redirects: string
  } | null
  canceled_at: number | null
  cancellation_reason: string | null
  capture_method: 'automatic' | 'automatic_async' | 'manual'
  client_secret: string
  confirmation_method: 'automatic'
  currency: string
  customer: string | null
  description: string | null
  last_payment_error: ErrorBody | null
  latest_charge: string | null
  next_action: NextAction | null
  payment_method: string | null
  payment_method_types: string[]
  receipt_email: string | null
  setup_future_usage: string | null
  statement_descriptor: string | null
  status: IntentStatus
}

export type NextAction =
  | {
      type: 'redirect_to_url'
      redirect_to_url: { url: string; return_url: string }
    }
  | {
      type: 'use_stripe_sdk'
      use_stripe_sdk: { type: string; stripe_js: string }
    }

export type SetupStatus = Exclude<IntentStatus, 'requires_capture'>

export type SetupIntent = Base & {
  object: 'setup_intent'
  allowed_payment_method_types: string[] | null
  application: null
  automatic_payment_methods: PaymentIntent['automatic_payment_methods']
  cancellation_reason: string | null
  client_secret: string
  customer: string | null
  description: string | null
  flow_directions: null
  last_setup_error: ErrorBody | null
  latest_attempt: string | null
  mandate: null
  next_action: NextAction | null
  on_behalf_of: null
  payment_method: string | null
  payment_method_types: string[]
  single_use_mandate: null
  status: SetupStatus
  usage: 'off_session' | 'on_session'
}

export type PaymentMethod = Base & {
  object: 'payment_method'
  allow_redisplay: 'unspecified'
  billing_details: { address: null; email: null; name: null; phone: null; tax_id: null }
  card: {
    brand: string
    checks: { address_line1_check: null; address_postal_code_check: null; cvc_check: 'pass' }
    country: 'US'
    display_brand: string
    exp_month: number
    exp_year: number
    fingerprint: string
    funding: 'credit'
    generated_from: null
    last4: string
    networks: { available: string[]; preferred: null }
    regulated_status: 'unregulated'
    three_d_secure_usage: { supported: true }
    wallet: null
  }
  customer: string | null
  customer_account: null
  type: 'card'
}

export type Charge = Base & {
  object: 'charge'
  amount: number
  amount_captured: number
  amount_refunded: number
  balance_transaction: string | null
  captured: boolean
  currency: string
  customer: string | null
  description: string | null
  disputed: boolean
  failure_code: string | null
  failure_message: string | null
  outcome: { network_status: string; reason: string | null; type: string }
  paid: boolean
  payment_intent: string
  payment_method: string
  payment_method_details: {
    type: 'card'
    card: { brand: string; last4: string }
  }
  refunded: boolean
  status: 'succeeded' | 'failed'
}

export type RefundStatus = 'pending' | 'requires_action' | 'succeeded' | 'failed' | 'canceled'

export type Refund = Base & {
  object: 'refund'
  amount: number
  balance_transaction: string | null
  charge: string
  currency: string
  failure_reason?: string
  payment_intent: string
  reason: string | null
  receipt_number: null
  status: RefundStatus
}

export type DisputeStatus =
  | 'warning_needs_response'
  | 'warning_closed'
  | 'needs_response'
  | 'under_review'
  | 'won'
  | 'lost'

export type Dispute = Base & {
  object: 'dispute'
  amount: number
  charge: string
  currency: string
  evidence_details: { due_by: number; has_evidence: boolean; past_due: boolean; submission_count: number }
  is_charge_refundable: boolean
  payment_intent: string
  reason: string
  status: DisputeStatus
}

export type Customer = Base & {
  object: 'customer'
  address: null
  balance: 0
  currency: null
  default_source: null
  delinquent: false
  description: string | null
  email: string | null
  invoice_settings: {
    custom_fields: null
    default_payment_method: string | null
    footer: null
    rendering_options: null
  }
  name: string | null
  phone: string | null
  shipping: null
}

export type DeletedCustomer = { id: string; object: 'customer'; deleted: true }

export type Event = {
  id: string
  object: 'event'
  api_version: string
  created: number
  data: { object: StripeObject; previous_attributes?: Record<string, unknown> }
  livemode: false
  pending_webhooks: number
  request: { id: string | null; idempotency_key: string | null }
  type: string
}

export type StripeObject = PaymentIntent | SetupIntent | PaymentMethod | Charge | Refund | Dispute | Customer

export type ErrorBody = {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'
  message: string
  code?: string
  param?: string
  decline_code?: string
  charge?: string
  doc_url?: string
  payment_intent?: PaymentIntent
  payment_method?: PaymentMethod
  setup_intent?: SetupIntent
}
