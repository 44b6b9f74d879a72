/** The error responses that many operations share: their names, and their codes. */
const CODES: Record<string, readonly string[]> = {
  StoreUnidentified: ['auth.store_required', 'auth.publishable_key_invalid'],
  Unauthenticated: ['auth.not_authenticated', 'auth.token_expired', 'auth.session_revoked'],
  CustomerUnauthenticated: [
    'auth.store_required',
    'auth.publishable_key_invalid',
    'auth.not_authenticated',
    'auth.token_expired',
    'auth.session_revoked',
  ],
  OriginForbidden: ['auth.origin_not_allowed'],
  PersonRequired: ['auth.origin_not_allowed', 'auth.api_token_forbidden', 'auth.support_forbidden'],
  PublishableKeyForbidden: ['auth.publishable_key_forbidden'],
  ReadForbidden: ['auth.publishable_key_forbidden', 'auth.forbidden'],
  ChangeForbidden: ['auth.publishable_key_forbidden', 'auth.forbidden', 'auth.support_read_only'],
  SupportForbidden: ['auth.publishable_key_forbidden', 'auth.forbidden', 'auth.support_forbidden'],
  /** A part of the change would outlast a support session. */
  LastingChangeForbidden: [
    'auth.support_forbidden',
    'auth.publishable_key_forbidden',
    'auth.forbidden',
    'auth.support_read_only',
  ],
  ApiTokenForbidden: [
    'auth.publishable_key_forbidden',
    'auth.forbidden',
    'auth.api_token_forbidden',
    'auth.support_forbidden',
  ],
  NotFound: ['resource.not_found'],
  Changed: ['resource.changed'],
  ValidationFailed: ['validation.failed'],
  InvalidRead: ['response.too_large', 'validation.failed'],
  InvalidChange: ['request.too_much_data', 'validation.failed'],
  ResponseTooLarge: ['response.too_large'],
  RateLimited: ['rate_limit.exceeded'],
  ReportPreparing: ['report.preparing'],
}

const NAMES = new Map(Object.entries(CODES).map(([name, codes]) => [codes.join(), name]))

/** Collects the error responses that operations share. */
export class SharedResponses {
  readonly #used: Record<string, object> = {}

  /** Returns a reference to the common response with these codes, or the response itself if none has them. */
  share(codes: readonly string[], response: object): object {
    const name = NAMES.get(codes.join())
    if (!name) return response
    this.#used[name] ??= response
    // A domain can give a code a message of its own, which has another example.
    return JSON.stringify(this.#used[name]) === JSON.stringify(response)
      ? { $ref: `#/components/responses/${name}` }
      : response
  }

  /** Returns the common responses in the order of their declaration. Throws if no operation has one of them. */
  get byName(): Record<string, object> {
    return Object.fromEntries(
      Object.keys(CODES).map((name) => {
        const response = this.#used[name]
        if (!response) throw new Error(`No operation has the response ${name}. Remove it.`)
        return [name, response]
      }),
    )
  }
}
