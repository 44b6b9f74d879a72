import { renewPasswordHash } from '#shared/identity/passwords/renew-password-hash.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import type { StaffCredentials } from './find-credentials.ts'
import { StaffMember } from './staff-member.ts'

/** As `renewPasswordHash`, of a staff member. */
export const renewStaffPasswordHash = (
  credentials: StaffCredentials,
  password: string,
): Promise<StaffCredentials> =>
  renewPasswordHash(credentials, password, (kept, passwordHash) =>
    inStore(credentials.storeId, (tx) =>
      StaffMember.in(tx).where({ id: credentials.id, password_hash: kept }).patch({ passwordHash }),
    ),
  )
