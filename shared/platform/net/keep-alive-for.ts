const KEEP_ALIVE_MS = 10_000

/**
 * Returns how long a client keeps idle connections to hosts that stores configured. A host must not decide on it: by a
 * `Keep-Alive` header it could keep them for ten minutes, and the idle connections of one store would fill the process.
 */
export const keepAliveFor = (ms = KEEP_ALIVE_MS) => ({ keepAliveTimeout: ms, keepAliveMaxTimeout: ms })
