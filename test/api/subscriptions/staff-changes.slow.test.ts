import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import '#test/support/database.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { enqueueDueCharges } from '#shared/subscriptions/enqueue-due.ts'
import { pauseSubscription } from '#shared/subscriptions/lifecycle/pause-subscription.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildApiToken, buildStaff, signInAgain } from '#test/support/builders/accounts.ts'
import { ADDRESS } from '#test/support/builders/orders.ts'
import { buildPlan } from '#test/support/builders/plans.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildSubscription } from '#test/support/builders/subscriptions.ts'
import { freezeClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'

beforeEach(() => mailbox.clear())

const SUBSCRIPTION_PAGE = 'https://shop.example/abo'
/** Every kind that staff can switch off. */
const NO_MAILS = {
  payment_failed: false,
  suspended: false,
  paused: false,
  resumed: false as boolean,
  canceled: false,
  completed: false,
  card_changed: false,
  reminder: false,
}
const REFUSED = { status: 409, error_code: 'subscription.notice_required' }

let shops = 0

/** `mailed`: the kinds of mails that are switched on. */
type Given = NonNullable<Parameters<typeof buildSubscription>[1]> & { mailed?: Partial<typeof NO_MAILS> }

/** A subscription at 8.00 a month, shipped for 5.00, whose next charge is on 28 February 2027. */
async function subscribed({ mailed = {}, ...given }: Given = {}) {
  freezeClock(new Date('2027-01-31T10:00:00.000Z'))
  const name = `Harbor (${++shops})`
  const store = await buildStore({ name, timeZone: 'UTC' })
  const owner = await buildStaff(store, { role: 'owner' })
  const settings = {
    links: { subscription: SUBSCRIPTION_PAGE },
    subscription_mails: { ...NO_MAILS, ...mailed },
  }
  assert.equal((await request('PATCH /admin/settings', { token: owner.token, body: settings })).status, 200)
  const plan = { nameI18n: { en: 'Monthly' }, ...given.plan }
  const built = await buildSubscription(store, { ...given, plan })
  // The tokens of staff and customers expire when the clock moves.
  const { token } = await buildApiToken(store, 'sales:read', 'sales:write')
  await drainJobs()
  mailbox.clear()
  const path = `/subscriptions/${built.id}`
  const staff = (line: string, body?: object) => request(line, { token, ...(body ? { body } : {}) })
  return {
    ...built,
    store,
    staff,
    path,
    change: (body: object) => staff(`PATCH /admin${path}`, body),
    resume: () => staff(`POST /admin${path}/resume`),
    pause: () => staff(`POST /admin${path}/pause`),
    skip: () => staff(`POST /admin${path}/skip`),
    own: async (line: string, body?: object) =>
      request(line, { store, token: await signInAgain(store, built.customer), ...(body ? { body } : {}) }),
    read: async () => (await staff(`GET /admin${path}`)).data,
    mails: async () => {
      await drainJobs()
      const all = mailbox.mails().toReversed()
      return all
        .filter(({ subject }) => subject.includes(name))
        .map(({ subject, text }) => ({ subject: subject.replace(name, 'Harbor'), text }))
    },
  }
}

test('a change by staff mails its customer the change, the next charge and the link, whatever is switched off', async () => {
  const { change, mails, id } = await subscribed()

  const { status } = await change({ quantity: 3 })

  assert.equal(status, 200)
  const [mail, ...others] = await mails()
  assert.deepEqual(others, [])
  assert.equal(mail?.subject, 'Your subscription “Monthly” at Harbor was changed')
  assert.match(mail?.text ?? '', /Quantity: 1 → 3\n/)
  assert.match(mail?.text ?? '', /The next charge is on February 28, 2027: €29\.00\./)
  assert.match(mail?.text ?? '', /cancel the subscription before February 28, 2027/)
  assert.ok(mail?.text.includes(`${SUBSCRIPTION_PAGE}#subscription=${id}\n`))
})

test('the mail names another plan with its price, its interval and its number of charges', async () => {
  const { change, mails, store, productId } = await subscribed()
  const { id: recurring_plan_id } = await buildPlan(store, {
    productIds: [productId],
    nameI18n: { en: 'Fortnightly' },
    priceMinor: 950n,
    duration: 2,
    durationUnit: 'week',
    cycle: 6,
  })

  await change({ recurring_plan_id })

  const [mail] = await mails()
  for (const fact of [
    'Subscription: Monthly → Fortnightly\n',
    'Price of a unit: €8.00 → €9.50\n',
    'Charged: every month → every 2 weeks\n',
    'Charges to come: without an end → 6\n',
  ])
    assert.ok(mail?.text.includes(fact), `${fact}${mail?.text}`)
})

test('the mail names another recipient and addresses, in the language of the subscription', async () => {
  const { change, mails, store, id } = await subscribed()
  await inStore(store.id, (tx) =>
    tx.knex('subscriptions').where({ store_id: store.id, id }).update({ language: 'de' }),
  )
  const address = { ...ADDRESS, address_1: 'Elsewhere 1' }

  await change({ firstname: 'Eve', shipping_address: address, billing_address: address })

  const [mail] = await mails()
  assert.equal(mail?.subject, 'Ihr Abonnement „Monthly“ bei Harbor wurde geändert')
  assert.match(mail?.text ?? '', /Empfänger: .* → Eve /)
  assert.match(mail?.text ?? '', /Neue Lieferadresse: [^:]*Elsewhere 1/)
  assert.match(mail?.text ?? '', /Neue Rechnungsadresse: [^:]*Elsewhere 1/)
})

test('a change of nothing by staff has no mail', async () => {
  const { change, mails } = await subscribed()

  assert.equal((await change({ quantity: 1 })).status, 200)

  assert.deepEqual(await mails(), [])
})

test('20 changes of staff within an hour mail a customer; the next one returns 429 and changes nothing', async () => {
  const { change, read, mails } = await subscribed({ quantity: 30 })

  for (let quantity = 29; quantity > 9; quantity--) assert.equal((await change({ quantity })).status, 200)
  const refused = await change({ quantity: 9 })

  assert.equal(refused.status, 429)
  assert.equal((await read()).quantity, 10)
  assert.equal((await mails()).length, 20)
})

const DEARER: Record<string, (built: Awaited<ReturnType<typeof subscribed>>) => Promise<object>> = {
  'a higher quantity': async () => ({ quantity: 2 }),
  'a plan at a higher price': async ({ store, productId }) => ({
    recurring_plan_id: (await buildPlan(store, { productIds: [productId], priceMinor: 801n })).id,
  }),
  'a plan of a shorter interval': async ({ store, productId }) => ({
    recurring_plan_id: (
      await buildPlan(store, { productIds: [productId], priceMinor: 800n, duration: 3, durationUnit: 'week' })
    ).id,
  }),
}

for (const [title, dearer] of Object.entries(DEARER))
  test(`${title} by staff is refused with the date from which it may apply, less than 14 days ahead`, async () => {
    const built = await subscribed()
    const body = await dearer(built)
    const before = await built.read()
    freezeClock(new Date('2027-02-14T10:00:00.001Z'))

    const refused = await built.change(body)

    assert.partialDeepStrictEqual(refused, REFUSED)
    assert.match(
      refused.error ?? '',
      /is 2027-02-28T10:00:00\.000Z;.* if it is 2027-02-28T10:00:00\.001Z or later\. Ask the customer/,
    )
    assert.deepEqual(await built.read(), before)
    assert.deepEqual(await built.mails(), [])

    freezeClock(new Date('2027-02-14T10:00:00.000Z'))
    assert.equal((await built.change(body)).status, 200)
  })

test('the customer makes a change by which they pay more at any time', async () => {
  const { own, path } = await subscribed()
  freezeClock(new Date('2027-02-28T09:00:00.000Z'))

  assert.equal((await own(`PATCH ${path}`, { quantity: 2 })).status, 200)
})

test('staff make a change by which the customer pays less or as much at any time', async () => {
  const { change, store, productId, mails } = await subscribed({ quantity: 2 })
  const { id: recurring_plan_id } = await buildPlan(store, {
    productIds: [productId],
    nameI18n: { en: 'Cheaper' },
    priceMinor: 799n,
    duration: 2,
    durationUnit: 'month',
  })
  freezeClock(new Date('2027-02-28T09:00:00.000Z'))

  for (const body of [
    { quantity: 1 },
    { recurring_plan_id },
    { shipping_address: { ...ADDRESS, address_1: 'Elsewhere 1' } },
    { firstname: 'Eve' },
  ])
    assert.equal((await change(body)).status, 200, JSON.stringify(body))

  assert.deepEqual(
    (await mails()).map(({ subject }) => subject).sort(),
    ['Cheaper', 'Cheaper', 'Cheaper', 'Monthly'].map(
      (plan) => `Your subscription “${plan}” at Harbor was changed`,
    ),
  )
})

test('more charges of the same amount by staff need notice', async () => {
  const { change, store, productId } = await subscribed({ plan: { cycle: 2 } })
  const { id: recurring_plan_id } = await buildPlan(store, { productIds: [productId], priceMinor: 800n })
  freezeClock(new Date('2027-02-20T10:00:00.000Z'))

  assert.partialDeepStrictEqual(await change({ recurring_plan_id }), REFUSED)
})

test('a higher quantity from the end of a free trial on needs notice from staff; the customer makes it', async () => {
  const { change, own, path } = await subscribed({
    plan: { trial: { priceMinor: 0n, duration: 1, durationUnit: 'week', cycle: 1 } },
  })

  assert.partialDeepStrictEqual(await change({ quantity: 2 }), REFUSED)
  assert.equal((await own(`PATCH ${path}`, { quantity: 2 })).status, 200)
})

/** A subscription of 3 units whose next charge failed on its date, because only 2 are on hand. */
async function shortOfStock() {
  const built = await subscribed({ quantity: 3, stockOnHand: 5 })
  freezeClock(new Date('2027-02-28T10:00:00.000Z'))
  await enqueueDueCharges()
  await drainJobs()
  return built
}

test('a higher quantity while a charge has failed needs notice from staff; the customer makes it', async () => {
  const { change, own, path } = await shortOfStock()
  assert.equal((await change({ quantity: 1 })).status, 200)

  assert.partialDeepStrictEqual(await change({ quantity: 2 }), REFUSED)
  assert.equal((await own(`PATCH ${path}`, { quantity: 2 })).status, 200)
})

test('the mail of a change names the amount of a failed charge that is not ordered yet', async () => {
  const { change, mails, read } = await shortOfStock()

  assert.equal((await change({ quantity: 1 })).status, 200)

  assert.partialDeepStrictEqual((await read()).failed_charge, { order_id: null })
  const [mail] = await mails()
  assert.match(mail?.text ?? '', /The next charge is on March 1, 2027: €13\.00\./)
})

test('staff who pause a subscription before they raise it need notice too', async () => {
  const { change, pause } = await subscribed()
  freezeClock(new Date('2027-02-20T10:00:00.000Z'))
  assert.equal((await pause()).status, 200)

  assert.partialDeepStrictEqual(await change({ quantity: 2 }), REFUSED)
})

test('staff raise a weekly subscription after they skip the deliveries of the notice', async () => {
  const { change, skip, read } = await subscribed({ plan: { durationUnit: 'week' } })
  assert.partialDeepStrictEqual(await change({ quantity: 2 }), REFUSED)

  assert.equal((await skip()).status, 200)
  const { status } = await change({ quantity: 2 })

  assert.equal(status, 200)
  assert.equal((await read()).next_charge_at, '2027-02-14T10:00:00.000Z')
})

test('staff who withdraw a cancellation mail its customer the next charge, whatever is switched off', async () => {
  const { resume, own, path, mails, id } = await subscribed()
  await own(`POST ${path}/cancel?at=period_end`)

  const { status } = await resume()

  assert.equal(status, 200)
  const [mail, ...others] = await mails()
  assert.deepEqual(others, [])
  assert.equal(mail?.subject, 'Your subscription “Monthly” at Harbor continues')
  assert.match(mail?.text ?? '', /The next charge is on February 28, 2027: €13\.00\./)
  assert.ok(mail?.text.includes(`${SUBSCRIPTION_PAGE}#subscription=${id}\n`))
})

test('staff do not withdraw a cancellation less than 14 days before the charge; the customer does', async () => {
  const { resume, own, path, read, mails } = await subscribed()
  await own(`POST ${path}/cancel?at=period_end`)
  freezeClock(new Date('2027-02-20T10:00:00.000Z'))

  assert.partialDeepStrictEqual(await resume(), REFUSED)
  assert.deepEqual(await mails(), [])
  assert.equal((await read()).cancels_at_period_end, true)

  assert.equal((await own(`POST ${path}/resume`)).status, 200)
})

test('staff who end a pause mail its customer once, also if the mail of its kind is switched off', async () => {
  const { resume, own, path, mails } = await subscribed()
  await own(`POST ${path}/pause`)

  assert.equal((await resume()).status, 200)

  assert.deepEqual(
    (await mails()).map(({ subject }) => subject),
    ['Your subscription “Monthly” at Harbor continues'],
  )
})

test('staff who end pauses mail the customer once each, however many', async () => {
  const { resume, pause, mails } = await subscribed({ mailed: { resumed: true } })

  for (let count = 0; count < 6; count++) {
    assert.equal((await pause()).status, 200)
    assert.equal((await resume()).status, 200)
  }

  assert.deepEqual(
    (await mails()).map(({ subject }) => subject),
    Array<string>(6).fill('Your subscription “Monthly” at Harbor continues'),
  )
})

test('the customer who ends a pause gets the mail of its kind', async () => {
  const { own, path, mails } = await subscribed({ mailed: { resumed: true } })
  for (const step of ['pause', 'resume']) assert.equal((await own(`POST ${path}/${step}`)).status, 200)

  assert.deepEqual(
    (await mails()).map(({ subject }) => subject),
    ['Your subscription “Monthly” at Harbor is resumed'],
  )
})

test('staff who end the pause of a subscription that will be canceled mail its customer without notice', async () => {
  const { resume, own, path, mails } = await subscribed()
  freezeClock(new Date('2027-02-20T10:00:00.000Z'))
  for (const step of ['cancel?at=period_end', 'pause'])
    assert.equal((await own(`POST ${path}/${step}`)).status, 200)

  const { status, data } = await resume()

  assert.equal(status, 200)
  assert.partialDeepStrictEqual(data, { status: 'active', cancels_at_period_end: true })
  const [mail, ...others] = await mails()
  assert.deepEqual(others, [])
  assert.equal(mail?.subject, 'Your subscription “Monthly” at Harbor continues')
  assert.match(mail?.text ?? '', /No charge is planned now\./)
})

const PAUSES: Record<string, (built: Awaited<ReturnType<typeof subscribed>>) => Promise<unknown>> = {
  'the customer': ({ own, path }) => own(`POST ${path}/pause`),
  'a dispute': ({ store, id }) => inStore(store.id, (tx) => pauseSubscription(tx, id, { actor: 'gateway' })),
}

for (const [who, pause] of Object.entries(PAUSES))
  test(`staff do not end a pause by ${who} less than 14 days before the charge; the customer does`, async () => {
    const built = await subscribed()
    const { resume, own, path, read, mails } = built
    await pause(built)
    freezeClock(new Date('2027-02-20T10:00:00.000Z'))

    assert.partialDeepStrictEqual(await resume(), REFUSED)
    assert.deepEqual(await mails(), [])
    assert.equal((await read()).status, 'paused')

    assert.equal((await own(`POST ${path}/resume`)).status, 200)
  })

test('staff end a pause that staff began at any time, also after an earlier pause by the customer', async () => {
  const { resume, pause, own, path } = await subscribed()
  freezeClock(new Date('2027-02-20T10:00:00.000Z'))
  for (const step of ['pause', 'resume']) assert.equal((await own(`POST ${path}/${step}`)).status, 200)
  assert.equal((await pause()).status, 200)

  assert.equal((await resume()).status, 200)
})

test('a subscription is charged as its mail announced', async () => {
  const { change, staff, id } = await subscribed()
  await change({ quantity: 3 })

  freezeClock(new Date('2027-02-28T10:00:00.000Z'))
  await enqueueDueCharges()
  await drainJobs()

  const { data } = await staff(`GET /admin/orders?subscription_id=${id}&sort=-created_at`)
  assert.equal(data[0].total, 29)
})

test('staff cannot end a free trial by a pause that uses it up', async () => {
  const { pause, resume, read } = await subscribed({
    plan: { durationUnit: 'week', trial: { priceMinor: 0n, duration: 1, durationUnit: 'week', cycle: 3 } },
  })
  await pause()
  freezeClock(new Date('2027-02-20T10:00:00.000Z'))

  const refused = await resume()

  assert.partialDeepStrictEqual(refused, REFUSED)
  assert.equal((await read()).status, 'paused')
})

test("a customer's own change sends a mail that cannot be switched off; a change of nothing sends none", async () => {
  const { own, path, mails } = await subscribed()

  await own(`PATCH ${path}`, { quantity: 1 })
  const ofNothing = await mails()
  await own(`PATCH ${path}`, { quantity: 3, shipping_address: { ...ADDRESS, address_1: 'Elsewhere 1' } })
  const [mail, ...more] = await mails()

  assert.deepEqual({ ofNothing, more }, { ofNothing: [], more: [] })
  assert.match(mail?.text ?? '', /was changed in your account\. If that was not you/)
  assert.match(mail?.text ?? '', /Quantity: 1 → 3/)
  assert.match(mail?.text ?? '', /Elsewhere 1/)
})

testBooks()
