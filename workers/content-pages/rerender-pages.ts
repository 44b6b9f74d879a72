import { rerenderPages as job } from '#shared/content-pages/jobs.ts'
import { rerenderPages as rerender } from '#shared/content-pages/rerender-pages.ts'
import { handle } from '#workers/platform/handle.ts'

/** Renders pages again after the renderer changed. */
export const rerenderPages = handle(job, (_payload, { signal }) => rerender(signal))
