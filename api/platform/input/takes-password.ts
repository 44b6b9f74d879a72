/**
 * How an operation runs whose body holds a password: the slow hash comes before its transaction, and no record of an
 * Idempotency-Key keeps a quick hash of that body, nor the secrets of its answer.
 */
export const takesPassword = { transaction: 'manual', idempotency: 'none' } as const
