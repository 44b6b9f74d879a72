/**
 * Settings of an operation whose body holds a password. The slow hash runs before the transaction. No idempotency
 * record is kept: it would hold a fast hash of the password and the secrets of the response.
 */
export const takesPassword = { transaction: 'manual', idempotency: 'none' } as const
