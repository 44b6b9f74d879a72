import { closeSessionsInScope } from '#shared/identity/sessions/close-sessions.ts'
import { closeDb } from '#shared/platform/db/db.ts'
import { inPlatform, inStore } from '#shared/platform/db/store-scope.ts'
import { forEachStore } from '#shared/stores/for-each-store.ts'
import { closeEverySuperAdminSession } from '#shared/super-admin/super-admin.ts'

type Print = (line: string) => void

const STORES_BETWEEN_LINES = 1_000

/**
 * `npm run sessions:close`: closes the sessions of every customer, staff member and super-admin. Use it after a key of
 * TOKEN_KEYS was stolen and every process has a new one (see `tokenKeys`). Carts, API tokens and publishable keys stay.
 * You can stop and repeat it at any time.
 */
export async function closeSessions(print: Print): Promise<void> {
  let closed = await inPlatform(closeEverySuperAdminSession)
  print(`${closed} sessions of super-admins closed`)
  let stores = 0
  await forEachStore(undefined, async (storeId) => {
    closed += await inStore(storeId, (tx) => closeSessionsInScope(tx, 'revoked'))
    stores += 1
    if (stores % STORES_BETWEEN_LINES === 0) print(`${closed} sessions closed so far, in ${stores} stores …`)
  })
  print(`${closed} sessions closed in all, in ${stores} stores`)
}

if (import.meta.main) {
  await closeSessions(console.log)
  await closeDb()
}
