import { defineSecrets } from '../secrets/secrets.ts'

/** Whose answer is kept: the request's store, operation and Idempotency-Key. */
interface ResponseId {
  storeId: string
  operation: string
  key: string
}

/**
 * Answers kept for repeated requests, and what their changes returned: they hold what is kept nowhere else in the clear,
 * such as the token of a new cart. The purge takes them within the hour after their day.
 */
export const idempotentResponses = defineSecrets(
  'answers kept for repeated requests',
  {
    scope: 'store',
    table: 'idempotency_keys',
    columns: ['outcome', 'answer'],
    expiresAt: "created_at + interval '25 hours'",
  },
  ({ storeId, operation, key }: ResponseId) => `idempotency:${storeId}:${operation}:${key}`,
)
