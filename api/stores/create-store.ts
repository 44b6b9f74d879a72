import type { Static } from 'typebox'
import { toCamelCase } from '#api/platform/input/request-fields.ts'
import type { UnitOfWork } from '#api/platform/operation/unit-of-work.ts'
import { hashChosenPassword } from '#shared/identity/passwords/password.ts'
import { newId } from '#shared/platform/db/id.ts'
import { createOwner } from '#shared/staff/ownership/create-owner.ts'
import { viewStaffMember } from '#shared/staff/staff-member.ts'
import { createStore } from '#shared/stores/lifecycle/create-store.ts'
import { viewStoreRecord } from '#shared/stores/view.ts'
import type { CreateStoreRequest, StoreWithOwnerView } from './super-admin-schemas.ts'

/** Creates a store and its owner. An owner without a password gets an invitation to choose one. */
export async function createStoreWithOwner(
  unitOfWork: UnitOfWork,
  body: Static<typeof CreateStoreRequest>,
): Promise<Static<typeof StoreWithOwnerView>> {
  const {
    owner: { password, ...person },
    ...draft
  } = toCamelCase(body)
  const languages = draft.languages as [string, ...string[]]
  // The slow hash runs first, so that no connection waits for it.
  const passwordHash = await hashChosenPassword(password)
  return unitOfWork.inStore(newId(), async (tx) => {
    const store = await createStore(tx, { ...draft, languages })
    const owner = await createOwner(tx, { ...person, passwordHash, sendsInvitation: !password })
    return { ...viewStoreRecord(store), owner: viewStaffMember(owner) }
  })
}
