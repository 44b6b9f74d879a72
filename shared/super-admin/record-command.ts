import { recordOnPlatform } from '#shared/audit/record-change.ts'
import type { Device } from '#shared/identity/device.ts'
import { newId } from '#shared/platform/db/id.ts'
import type { PlatformTx } from '#shared/platform/db/store-scope.ts'
import type { SuperAdmin } from './super-admin.ts'

/** The device of a command in mails. */
export const COMMAND_LINE: Device = { ip: null, userAgent: 'command line' }

/**
 * Records a change of a super-admin by a command in the platform's log. The operator is unknown, so the entry names the
 * account and no session. Call it last in its transaction.
 */
export const recordCommand = (
  tx: PlatformTx,
  { id, email }: SuperAdmin,
  action: 'upsertSuperAdmin' | 'resetTwoFactor',
): Promise<void> =>
  recordOnPlatform(tx, {
    actor: { type: 'super_admin', id, email, sessionId: null },
    ip: 'command line',
    requestId: newId(),
    action,
    resourceType: 'super-admins',
    resourceId: id,
    before: null,
    after: null,
  })
