import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { LinkedPage } from '#shared/stores/settings/links.ts'
import { lockStore, ownStore } from '#shared/stores/store.ts'

/** Resets the URLs of linked pages to their defaults. Returns the pages whose URL changed. */
export async function resetLinks(tx: StoreTx, pages: readonly LinkedPage[]): Promise<LinkedPage[]> {
  const store = await lockStore(tx)
  const reset = pages.filter((page) => store.links[page] !== undefined)
  if (reset.length === 0) return []
  const links = { ...store.links }
  for (const page of reset) delete links[page]
  await ownStore(tx).update({ links, updated_at: nextUpdatedAt(store) })
  return reset
}
