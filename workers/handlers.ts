import type { Handler } from './platform/handle.ts'

/** Which verb does which job. Every kind in shared/all-jobs.ts stands here once. */
export const handlers: readonly Handler[] = []
