/**
 * The settings of an operation whose body contains a password. The slow hash runs before the transaction. There is no
 * idempotency record, because it would contain a fast hash of the password and the secrets of the response.
 */
export const takesPassword = { transaction: 'manual', idempotency: 'none' } as const
