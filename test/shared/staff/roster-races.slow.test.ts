import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { findIntegrations } from '#shared/integrations/find-integrations.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { createStaffMember } from '#shared/staff/members/create-staff-member.ts'
import { deleteStaffMember } from '#shared/staff/members/delete-staff-member.ts'
import { leaveStore } from '#shared/staff/members/leave-store.ts'
import { updateStaffMember } from '#shared/staff/members/update-staff-member.ts'
import { Role } from '#shared/staff/role.ts'
import { deleteRole } from '#shared/staff/roles/delete-role.ts'
import { StaffMember } from '#shared/staff/staff-member.ts'
import { buildRole, buildStaff } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { barrier } from '#test/support/races/barrier.ts'

const device = { ip: null, userAgent: null }

const admins = (store: { id: string }) =>
  inStore(store.id, (tx) => StaffMember.in(tx).where({ role: 'administrator', is_active: true }).resultSize())

/** The code that each ended with; null for one that was done. */
const codesOf = async (works: Promise<unknown>[]): Promise<(string | null)[]> =>
  (await Promise.allSettled(works)).map((end) => (end.status === 'rejected' ? end.reason.code : null))

async function twoAdmins() {
  const store = await buildStore()
  const [one, two] = [
    await buildStaff(store, { role: 'administrator' }),
    await buildStaff(store, { role: 'administrator' }),
  ]
  return { store, one, two }
}

test('one of two administrators who demote each other concurrently remains', async () => {
  for (let round = 0; round < 10; round++) {
    const { store, one, two } = await twoAdmins()
    const demote = (actor: string, id: string) =>
      inStore(store.id, (tx) =>
        updateStaffMember(tx, actor, id, { role: 'sales' }, { device, findIntegrations }),
      )

    const codes = await codesOf([demote(one.id, two.id), demote(two.id, one.id)])

    assert.deepEqual(codes.sort(), [null, 'user.last_admin'].sort())
    assert.equal(await admins(store), 1)
  }
})

const LEAVES = {
  'remove themselves': (tx: StoreTx, id: string) => deleteStaffMember(tx, id, id, findIntegrations),
  'leave the store': (tx: StoreTx, id: string) => leaveStore(tx, id, findIntegrations),
}

for (const [how, leave] of Object.entries(LEAVES))
  test(`one of two administrators who ${how} concurrently remains`, async () => {
    for (let round = 0; round < 10; round++) {
      const { store, one, two } = await twoAdmins()

      const codes = await codesOf([one, two].map(({ id }) => inStore(store.id, (tx) => leave(tx, id))))

      assert.deepEqual(codes.sort(), [null, 'user.last_admin'].sort())
      assert.equal(await admins(store), 1)
    }
  })

test('control: a count of administrators without the lock leaves none', async () => {
  const { store, one, two } = await twoAdmins()
  const meet = barrier(2)
  const leave = async (tx: StoreTx, id: string) => {
    const other = await StaffMember.in(tx)
      .where({ role: 'administrator', is_active: true })
      .whereNot('id', id)
      .first()
    await meet()
    if (other) await StaffMember.in(tx).deleteById(id)
  }

  await Promise.all([one.id, two.id].map((id) => inStore(store.id, (tx) => leave(tx, id))))

  assert.equal(await admins(store), 0)
})

const newcomer = (n: number) => ({
  email: `newcomer-${n}@example.test`,
  firstname: 'Mary',
  lastname: 'Jackson',
  role: 'clerk',
  passwordHash: 'none',
})

/** Whether someone has a role that there is not. */
const isOrphaned = (store: { id: string }) =>
  inStore(store.id, async (tx) => {
    const role = await Role.in(tx).findOne({ name: 'clerk' })
    return !role && (await StaffMember.in(tx).where({ role: 'clerk' }).resultSize()) > 0
  })

test('one of a concurrent deletion and assignment of a role is refused', async () => {
  for (let round = 0; round < 10; round++) {
    const { store, one } = await twoAdmins()
    const role = await buildRole(store, { name: 'clerk', rights: [] })

    const codes = await codesOf([
      inStore(store.id, (tx) => deleteRole(tx, one.id, role.id)),
      inStore(store.id, (tx) => createStaffMember(tx, one.id, newcomer(round))),
    ])

    assert.ok(['role.in_use,', ',validation.failed'].includes(codes.join()), codes.join())
    assert.equal(await isOrphaned(store), false)
  }
})

test('control: without the lock, a role is deleted while a new member gets it', async () => {
  const { store } = await twoAdmins()
  const role = await buildRole(store, { name: 'clerk', rights: [] })
  const meet = barrier(2)

  await Promise.all([
    inStore(store.id, async (tx) => {
      const used = await StaffMember.in(tx).findOne({ role: 'clerk' })
      await meet()
      if (!used) await Role.in(tx).deleteById(role.id)
    }),
    inStore(store.id, async (tx) => {
      const found = await Role.in(tx).findOne({ name: 'clerk' })
      await meet()
      const { role: name, ...rest } = newcomer(99)
      const at = new Date()
      const more = {
        emailNormalized: rest.email,
        isOwner: false,
        isActive: true,
        createdAt: at,
        updatedAt: at,
      }
      if (found) await StaffMember.in(tx).insert({ ...rest, ...more, role: name })
    }),
  ])

  assert.equal(await isOrphaned(store), true)
})
