import { closeEverySession } from '#shared/identity/sessions/close-sessions.ts'
import { closeDb } from '#shared/platform/db/db.ts'
import { inPlatform, inStore } from '#shared/platform/db/store-scope.ts'
import { walkStoreIds } from '#shared/stores/list-stores.ts'
import { closeEverySuperAdminSession } from '#shared/super-admin/super-admin.ts'

type Say = (line: string) => void

const STORES_BETWEEN_LINES = 1_000

/**
 * `npm run sessions:close`: signs out everybody of every store, and all who run the platform; they sign in anew. For the
 * day on which a key of TOKEN_KEYS was stolen, once every process has another (see `tokenKeys`). Carts, API tokens and
 * publishable keys stay. It can be stopped and run again.
 */
export async function closeSessions(say: Say): Promise<void> {
  let closed = await inPlatform(closeEverySuperAdminSession)
  say(`${closed} sessions of super-admins closed`)
  let stores = 0
  for await (const storeId of walkStoreIds()) {
    closed += await inStore(storeId, (tx) => closeEverySession(tx, 'revoked'))
    stores += 1
    if (stores % STORES_BETWEEN_LINES === 0) say(`${closed} sessions closed so far, in ${stores} stores …`)
  }
  say(`${closed} sessions closed in all, in ${stores} stores`)
}

if (import.meta.main) {
  await closeSessions(console.log)
  await closeDb()
}
