import { publishEvents } from './platform/events.ts'
import type { JobDefinition } from './platform/jobs.ts'

/** Every kind of job: its queue is made with the migrations, its handler stands in workers/handlers.ts. */
export const allJobs: readonly JobDefinition[] = [publishEvents]
