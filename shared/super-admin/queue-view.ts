import { type Static, Type } from 'typebox'
import { toTimestamp, toTimestampOrNull } from '#shared/platform/http/response-values.ts'
import { Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import type { DeadLetter } from '#shared/platform/jobs/list-dead-letters.ts'
import type { QueueFigures } from '#shared/platform/jobs/queue-status.ts'

const Count = Type.Integer({ minimum: 0 })

export const QueueView = Shape({
  name: Type.String(),
  ready: Type.Integer({ minimum: 0, description: 'Jobs that are due' }),
  deferred: Type.Integer({ minimum: 0, description: 'Jobs that are due later, including retries' }),
  active: Count,
  dead_letters: Type.Integer({
    minimum: 0,
    description: 'Jobs that ran out of retries; POST /super-admin/queues/{name}/redrive puts them back',
  }),
  oldest_ready_at: Nullable(Timestamp),
})

/** Returns a queue as a super-admin sees it. */
export const viewQueue = (queue: QueueFigures): Static<typeof QueueView> => ({
  name: queue.name,
  ready: queue.ready,
  deferred: queue.deferred,
  active: queue.active,
  dead_letters: queue.deadLetters,
  oldest_ready_at: toTimestampOrNull(queue.oldestReadyAt),
})

export const DeadLetterView = Shape({
  id: Uuid,
  queue: Type.String(),
  job_id: Uuid,
  payload: Type.Unknown(),
  failure: Type.Unknown({ description: 'The error of the last attempt' }),
  retries: Count,
  created_at: Timestamp,
  dead_since: Timestamp,
})

/** Returns a dead letter as a super-admin sees it. */
export const viewDeadLetter = (letter: DeadLetter): Static<typeof DeadLetterView> => ({
  id: letter.id,
  queue: letter.queue,
  job_id: letter.jobId,
  payload: letter.payload,
  failure: letter.failure,
  retries: letter.retries,
  created_at: toTimestamp(letter.createdAt),
  dead_since: toTimestamp(letter.deadSince),
})

export const RedriveView = Shape({ moved: Count })
