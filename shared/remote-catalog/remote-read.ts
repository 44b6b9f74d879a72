import { StoreModel } from '#shared/platform/db/model.ts'
import { SECOND_MS } from '#shared/platform/time/clock.ts'

/** How long a caller waits for the external system (decisions, section 9). */
export const PATIENCE_MS = 10 * SECOND_MS

/** A question that is under way. It holds no more than its hash, and goes when it is answered. */
export class RemoteRead extends StoreModel {
  static override tableName = 'remote_reads'

  declare question: Buffer
  declare expiresAt: Date
}
