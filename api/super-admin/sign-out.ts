import type { UnitOfWork } from '#api/platform/pipeline/unit-of-work.ts'
import { inPlatform } from '#shared/platform/db/store-scope.ts'
import {
  signOutSuperAdmin,
  signOutSuperAdminEverywhere,
  whoseSessions,
} from '#shared/super-admin/sign-out.ts'

/** Closes a super-admin's session, or all of them. */
export async function leaveAsSuperAdmin(
  presented: string,
  { all }: { all: boolean },
  unitOfWork: UnitOfWork,
): Promise<null> {
  if (!all) await inPlatform((knex) => signOutSuperAdmin(knex, presented))
  else {
    const found = await inPlatform((knex) => whoseSessions(knex, presented))
    const superAdmin = { type: 'super_admin' as const, ...found }
    await unitOfWork.inPlatform((knex) => signOutSuperAdminEverywhere(knex, presented), { superAdmin })
  }
  return null
}
