import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import '#test/support/database.ts'
import { MAIL_BACKLOG } from '#shared/mail/mail-backlog.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildCustomer, buildStaff, PASSWORD } from '#test/support/builders/accounts.ts'
import { countRows, csv, importCustomerCsv, uploadCustomers } from '#test/support/builders/import.ts'
import { buildStore, nextNumber } from '#test/support/builders/store.ts'
import { freezeClock } from '#test/support/clock.ts'
import { emptyMailQueue, fillMailQueue } from '#test/support/faults/mail-backlog.ts'
import { type RequestOptions, request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox, tokenIn } from '#test/support/processes/mailbox.ts'

beforeEach(() => mailbox.clear())

async function scene() {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'sales' })
  const as = (line: string, asked: RequestOptions = {}) => request(line, { token, ...asked })
  const find = async (email: string) => {
    const { data } = await as(`GET /admin/customers?q=${encodeURIComponent(email)}`)
    assert.equal(data.length, 1, email)
    return (await as(`GET /admin/customers/${data[0].id}`)).data
  }
  return {
    store,
    token,
    as,
    find,
    importFile: (text: string, query?: string) => importCustomerCsv(token, text, query),
  }
}

const counts = ({
  customers_created: created,
  customers_updated: updated,
  customers_changed: changed,
  customers_failed: failed,
}: Record<string, unknown>) => ({ created, updated, changed, failed })

const SHOPIFY =
  'Customer ID,First Name,Last Name,Email,Accepts Email Marketing,Default Address Company,Default Address Address1,' +
  'Default Address Address2,Default Address City,Default Address Province Code,Default Address Country Code,' +
  'Default Address Zip,Default Address Phone,Phone,Accepts SMS Marketing,Total Spent,Total Orders,Note,Tax Exempt,Tags'

const SHOPIFY_FORMER =
  'Customer ID,First Name,Last Name,Email,Accepts Email Marketing,Company,Address1,Address2,City,Province,Province Code,' +
  'Country,Country Code,Zip,Phone,Accepts SMS Marketing,Total Spent,Total Orders,Tags,Note,Tax Exempt'

test("Shopify's customer export is imported with names, address, consent, note and tax exemption", async () => {
  const { importFile, find } = await scene()

  const report = await importFile(
    csv(
      SHOPIFY,
      `'6940095406342,Ada,Lovelace,Ada@Example.test,yes,Engines Ltd,Quay 12,Floor 2,Hamburg,HH,DE,'01067,'+49 40 1234,'+49 40 5678,no,120.00,3,Calls early,yes,vip`,
    ),
  )

  assert.deepEqual(counts(report), { created: 1, updated: 0, changed: 0, failed: 0 })
  assert.deepEqual(report.errors, [])
  assert.equal(report.format, 'shopify')
  assert.deepEqual(report.ignored_columns, [
    'Customer ID',
    'Accepts SMS Marketing',
    'Total Spent',
    'Total Orders',
    'Tags',
  ])
  const customer = await find('ada@example.test')
  assert.partialDeepStrictEqual(customer, {
    email: 'Ada@Example.test',
    firstname: 'Ada',
    lastname: 'Lovelace',
    telephone: '+49 40 5678',
    accepts_marketing: true,
    tax_exempt: true,
    note: 'Calls early',
    email_verified_at: null,
    is_active: true,
  })
  assert.equal(customer.addresses.length, 1)
  assert.partialDeepStrictEqual(customer.addresses[0], {
    firstname: 'Ada',
    lastname: 'Lovelace',
    company: 'Engines Ltd',
    address_1: 'Quay 12',
    address_2: 'Floor 2',
    city: 'Hamburg',
    postcode: '01067',
    country: 'DE',
    zone: 'DE-HH',
    telephone: '+49 40 1234',
    is_default_shipping: true,
    is_default_billing: true,
  })
})

test("Shopify's former customer export is recognised", async () => {
  const { importFile, find } = await scene()

  const report = await importFile(
    csv(
      SHOPIFY_FORMER,
      '1,Ada,Lovelace,ada@example.test,no,,1 Main St,,New York,New York,NY,United States,US,10001,,no,0,0,,,no',
    ),
  )

  assert.equal(report.format, 'shopify')
  const [address] = (await find('ada@example.test')).addresses
  assert.partialDeepStrictEqual(address, { country: 'US', zone: 'US-NY', postcode: '10001' })
})

test('a mapping imports the file of another shop, with groups by their names', async () => {
  const { importFile, find, as } = await scene()
  const { data: group } = await as('POST /admin/customer-groups', {
    body: { name_i18n: { en: 'Trade', de: 'Handel' } },
  })

  const report = await importFile(
    csv('E-Mail;Vorname;Gruppe', 'ada@example.test;Ada;Handel', 'eve@example.test;Eve;Presse'),
    `columns=${encodeURIComponent('{"E-Mail":"email","Vorname":"firstname","Gruppe":"customer_group"}')}`,
  )

  assert.deepEqual(counts(report), { created: 2, updated: 0, changed: 0, failed: 0 })
  assert.equal((await find('ada@example.test')).customer_group_id, group.id)
  assert.partialDeepStrictEqual(report.errors, [{ severity: 'warning', line: 3, field: 'Gruppe' }])
})

test('an existing customer keeps password, verification and the spelling of the address', async () => {
  const { store, importFile, find } = await scene()
  const customer = await buildCustomer(store, { email: 'Ada@Example.test', verifiedAt: new Date() })
  const before = await find('ada@example.test')

  const report = await importFile(csv('email,firstname,note', `ADA@EXAMPLE.TEST ,Augusta,`))

  assert.deepEqual(counts(report), { created: 0, updated: 1, changed: 1, failed: 0 })
  const after = await find('ada@example.test')
  assert.partialDeepStrictEqual(after, {
    id: customer.id,
    email: 'Ada@Example.test',
    firstname: 'Augusta',
    lastname: before.lastname,
    email_verified_at: before.email_verified_at,
  })
  const signedIn = await request('POST /auth/login', {
    store,
    body: { email: 'ada@example.test', password: PASSWORD },
  })
  assert.equal(signedIn.status, 200)
})

test('a file adds nothing to an account with an unconfirmed address that its holder could read or pay less by', async () => {
  const { store, importFile, find, as } = await scene()
  const { data: group } = await as('POST /admin/customer-groups', { body: { name_i18n: { en: 'Trade' } } })
  const email = `victim-${nextNumber()}@example.test`
  const registered = { email, password: PASSWORD, firstname: 'Mallory', lastname: 'M' }
  const { data: account } = await request('POST /auth/register', { store, body: registered })
  const before = await find(email)
  const file = csv(
    'email,firstname,lastname,telephone,tax_number,tax_exempt,customer_group_id,note,address_1,address_city,address_postcode,address_country',
    `${email},Vic,Tim,+49 40 1234,DE123456789,true,${group.id},Calls early,Quay 12,Hamburg,20457,DE`,
  )

  const dry = await importFile(file, 'dry_run=true')
  const report = await importFile(file)

  assert.deepEqual(counts(report), { created: 0, updated: 1, changed: 1, failed: 0 })
  assert.partialDeepStrictEqual(report.errors, [{ severity: 'warning', line: 2, field: 'email' }])
  assert.match(report.errors[0].message, /has not confirmed this e-mail address/)
  assert.deepEqual(dry.errors, report.errors)
  const { updated_at: _, ...unchanged } = before
  assert.partialDeepStrictEqual(await find(email), { ...unchanged, note: 'Calls early' })
  assert.deepEqual((await request('GET /addresses', { store, token: account.access_token })).data, [])

  await drainJobs()
  const [mail] = mailbox.mails(email)
  assert.ok(mail)
  const verified = { store, token: account.access_token, body: { token: tokenIn(mail) } }
  assert.equal((await request('POST /auth/email/verify', verified)).status, 200)
  const repeated = await importFile(file)

  assert.deepEqual(repeated.errors, [])
  assert.partialDeepStrictEqual(await find(email), {
    firstname: 'Vic',
    telephone: '+49 40 1234',
    tax_exempt: true,
    customer_group_id: group.id,
    addresses: [{ address_1: 'Quay 12' }],
  })
})

test('an import can deactivate an account whose address is not confirmed, and end its tax exemption', async () => {
  const { store, importFile, find, as } = await scene()
  const { id, email } = await buildCustomer(store)
  await as(`PATCH /admin/customers/${id}`, { body: { tax_exempt: true } })

  const report = await importFile(csv('email,tax_exempt,is_active', `${email},false,false`))

  assert.deepEqual(report.errors, [])
  assert.partialDeepStrictEqual(await find(email), { tax_exempt: false, is_active: false })
})

test('a repeated import changes nothing, and emits no event', async () => {
  const { store, importFile } = await scene()
  const file = csv(
    'email,firstname,address_1,address_city,address_postcode,address_country',
    'ada@example.test,Ada,Quay 12,Hamburg,20457,Germany',
  )
  await importFile(file)
  const events = await countRows(store, 'events')

  const report = await importFile(file)

  assert.deepEqual(counts(report), { created: 0, updated: 1, changed: 0, failed: 0 })
  assert.equal(await countRows(store, 'events'), events)
  assert.equal(await countRows(store, 'customer_addresses'), 1)
})

test('each new and each changed customer emits one event, and the groups are counted', async () => {
  const { store, importFile, as } = await scene()
  await importFile(csv('email', 'a@example.test', 'b@example.test'))
  const { data: group } = await as('POST /admin/customer-groups', { body: { name_i18n: { en: 'Trade' } } })

  await importFile(
    csv('email,customer_group_id', `a@example.test,${group.id}`, 'b@example.test,', 'c@example.test,'),
  )

  assert.equal(await countRows(store, 'events', { type: 'customer.created' }), 3)
  assert.equal(await countRows(store, 'events', { type: 'customer.updated' }), 1)
  const { data: groups } = await as('GET /admin/customer-groups')
  const sizes = groups.map(({ customers_count }: { customers_count: number }) => customers_count)
  assert.deepEqual(sizes.sort(), [1, 2])
})

test('a new address is added to the book and is no default; a known one is not added', async () => {
  const { importFile, find } = await scene()
  const header = 'email,address_1,address_city,address_postcode,address_country'
  await importFile(csv(header, 'ada@example.test,Quay 12,Hamburg,20457,DE'))

  const report = await importFile(csv(header, 'ada@example.test,Pier 3,Bremen,28195,DE'))

  assert.deepEqual(counts(report), { created: 0, updated: 1, changed: 1, failed: 0 })
  const { addresses } = await find('ada@example.test')
  assert.deepEqual(
    addresses.map((one: Record<string, unknown>) => ({
      street: one.address_1,
      isDefault: one.is_default_shipping,
    })),
    [
      { street: 'Quay 12', isDefault: true },
      { street: 'Pier 3', isDefault: false },
    ],
  )
})

test('faulty rows are reported by line and column without personal data, and the others are imported', async () => {
  const { store, importFile } = await scene()

  const report = await importFile(
    csv(
      'email,firstname,accepts_marketing',
      'ada@example.test,Ada,yes',
      'no-address,Bea,yes',
      ',Cleo,yes',
      'ADA@example.test,Ada again,no',
      'dan@example.test,Dan,perhaps',
      'eve@example.test',
      'flo@example.test,"Flo\nBcc: x@example.test",',
    ),
  )

  assert.deepEqual(counts(report), { created: 2, updated: 0, changed: 0, failed: 5 })
  assert.deepEqual(
    report.errors.map(({ line, field, message, value }: Record<string, unknown>) => ({
      line,
      field,
      message,
      value,
    })),
    [
      { line: 3, field: 'email', message: 'Write an e-mail address like ada@example.com', value: '' },
      {
        line: 4,
        field: 'email',
        message: 'The e-mail address is missing. It identifies the customer',
        value: '',
      },
      {
        line: 5,
        field: 'email',
        message: 'Line 2 already has this e-mail address. Merge the rows',
        value: '',
      },
      { line: 6, field: 'accepts_marketing', message: 'Write true or false', value: '' },
      { line: 8, field: 'firstname', message: 'Write the name on one line', value: '' },
    ],
  )
  assert.equal(await countRows(store, 'customers'), 2)
})

test('an unknown country, zone or language, and an incomplete address are warnings', async () => {
  const { importFile, find } = await scene()

  const report = await importFile(
    csv(
      'email,language,address_1,address_city,address_postcode,address_country,address_zone',
      'a@example.test,tlh,,,,,',
      'b@example.test,,Street 1,Town,123,Atlantis,',
      'c@example.test,,Street 1,Town,123,DE,XX',
      'd@example.test,,Street 1,,123,DE,',
      'e@example.test,,,,,DE,',
    ),
  )

  assert.deepEqual(counts(report), { created: 5, updated: 0, changed: 0, failed: 0 })
  assert.deepEqual(
    report.errors.map(({ severity, line, field }: Record<string, unknown>) => ({ severity, line, field })),
    [
      { severity: 'warning', line: 2, field: 'language' },
      { severity: 'warning', line: 3, field: 'address_country' },
      { severity: 'warning', line: 4, field: 'address_zone' },
      { severity: 'warning', line: 5, field: 'address_city' },
    ],
  )
  assert.deepEqual((await find('b@example.test')).addresses, [])
  const [address] = (await find('c@example.test')).addresses
  assert.equal(address.zone, undefined)
})

test('a spelling that only compares equal does not change the customer', async () => {
  const { store, importFile, find } = await scene()
  await buildCustomer(store, { email: 'mike@example.test' })
  const before = await find('mike@example.test')

  const report = await importFile(csv('email,firstname', 'ｍike@example.test,Other'))

  assert.deepEqual(counts(report), { created: 0, updated: 0, changed: 0, failed: 1 })
  assert.match(report.errors[0].message, /another spelling of this e-mail address/)
  assert.deepEqual(await find('mike@example.test'), before)
})

test('a dry run reports what an import reports and saves nothing', async () => {
  const { store, importFile } = await scene()
  await buildCustomer(store, { email: 'known@example.test', verifiedAt: new Date() })
  const file = csv(
    'email,firstname',
    ...Array.from({ length: 250 }, (_, i) => `person-${i}@example.test,P`),
    'person-3@example.test,Again',
    'known@example.test,New name',
  )
  const events = await countRows(store, 'events')

  const dry = await importFile(file, 'dry_run=true')
  assert.equal(await countRows(store, 'customers'), 1)
  assert.equal(await countRows(store, 'events'), events)
  const real = await importFile(file)

  assert.deepEqual(counts(dry), { created: 250, updated: 1, changed: 1, failed: 1 })
  assert.deepEqual({ counts: counts(dry), errors: dry.errors }, { counts: counts(real), errors: real.errors })
})

test('no mail is sent, unless invitations are asked for, and then to new customers alone', async () => {
  const { store, importFile } = await scene()
  await buildCustomer(store, { email: 'known@example.test' })

  await importFile(csv('email,firstname', 'known@example.test,Known', 'quiet@example.test,Quiet'))
  assert.equal(mailbox.mails().length, 0)
  await importFile(
    csv('email,is_active', 'known@example.test,', 'new@example.test,', 'off@example.test,false'),
    'send_invitations=true',
  )

  const [mail, ...others] = mailbox.mails()
  assert.ok(mail)
  assert.deepEqual({ to: mail.to, others }, { to: ['new@example.test'], others: [] })
  const { status } = await request('POST /auth/password/reset', {
    store,
    body: { token: tokenIn(mail), password: 'another horse battery' },
  })
  assert.equal(status, 200)
})

test('an import with invitations waits while the store has a backlog of mails', async () => {
  const { store, token, as } = await scene()
  const start = Date.now()
  const { data } = await uploadCustomers(token, csv('email', 'ada@example.test'), 'send_invitations=true')
  const reportAfter = async (seconds: number) => {
    freezeClock(new Date(start + seconds * 1_000))
    await drainJobs()
    return (await as(`GET /admin/customer-imports/${data.id}`)).data
  }

  await fillMailQueue(store, MAIL_BACKLOG)
  const waiting = [await reportAfter(1), await reportAfter(20), await reportAfter(40)]
  await emptyMailQueue(store)
  const done = await reportAfter(60)

  for (const report of waiting)
    assert.partialDeepStrictEqual(report, { status: 'running', customers_created: 0, warning_count: 0 })
  assert.partialDeepStrictEqual(done, { status: 'succeeded', customers_created: 1 })
  assert.equal(mailbox.mails().filter(({ to }) => to.includes('ada@example.test')).length, 1)
})

test('a customer who is deactivated by the file is signed out', async () => {
  const { store, importFile } = await scene()
  const customer = await buildCustomer(store, { email: 'ada@example.test' })

  await importFile(csv('email,is_active', 'ada@example.test,false'))

  const { status } = await request('GET /auth/me', { store, token: customer.token })
  assert.equal(status, 401)
})

test('a customer of another store with the same address is untouched, and its staff cannot read the report', async () => {
  const { importFile } = await scene()
  const other = await scene()
  await buildCustomer(other.store, { email: 'ada@example.test' })
  const before = await other.find('ada@example.test')

  const report = await importFile(csv('email,firstname', 'ada@example.test,Changed'))

  assert.deepEqual(counts(report), { created: 1, updated: 0, changed: 0, failed: 0 })
  assert.deepEqual(await other.find('ada@example.test'), before)
  assert.equal((await other.as(`GET /admin/customer-imports/${report.id}`)).status, 404)
  assert.deepEqual((await other.as('GET /admin/customer-imports')).data, [])
})

test('an import of customers is no catalog job, and needs the right to write customers', async () => {
  const { store, token, importFile, as } = await scene()
  const catalog = await buildStaff(store, { role: 'catalog' })

  const report = await importFile(csv('email', 'ada@example.test'))

  assert.equal((await request(`GET /admin/catalog-jobs/${report.id}`, { token: catalog.token })).status, 404)
  assert.equal((await uploadCustomers(catalog.token, 'email\na@example.test\n')).status, 403)
  const { data } = await as('GET /admin/customer-imports', { token })
  assert.deepEqual(
    data.map(({ id }: { id: string }) => id),
    [report.id],
  )
})

test('a header without an e-mail address returns 422 that names the missing column', async () => {
  const { store, token } = await scene()

  const unknown = await uploadCustomers(token, csv('Foo,Bar', '1,2'))
  const near = await uploadCustomers(
    token,
    csv('First Name,Last Name,Default Address City', 'Ada,Lovelace,Hamburg'),
  )
  const mapped = await uploadCustomers(token, csv('Mail', 'a@example.test'), 'columns={"Mail":"firstname"}')

  assert.deepEqual(
    [unknown, near, mapped].map(({ status, error_code }) => ({ status, error_code })),
    Array(3).fill({ status: 422, error_code: 'import.unknown_header' }),
  )
  assert.match(near.error ?? '', /nearest to Shopify's customer export, which also needs: Email/)
  assert.match(mapped.error ?? '', /maps no column to email\. Add one/)
  assert.equal(await countRows(store, 'import_jobs'), 0)
})

test('an anonymized customer stays so, and an export that has them changes nothing', async () => {
  const { store, as, importFile } = await scene()
  const { id } = await buildCustomer(store, { email: 'gone@example.test' })
  await as(`POST /admin/customers/${id}/anonymize`)
  const { data: file } = await as('GET /admin/customers', { headers: { Accept: 'text/csv' } })
  const { email } = (await as(`GET /admin/customers/${id}`)).data

  const exported = await importFile(file)
  const changed = await importFile(csv('email,firstname', `${email},Back`, `1${email},Other`))

  assert.deepEqual(counts(exported), { created: 0, updated: 1, changed: 0, failed: 0 })
  assert.deepEqual(counts(changed), { created: 0, updated: 0, changed: 0, failed: 2 })
})

test('nothing of an imported file is kept when the import ends', async () => {
  const { store, importFile } = await scene()

  await importFile(csv('email,note', 'bad,secret remark', 'ada@example.test,other remark'))

  assert.equal(await countRows(store, 'import_chunks'), 0)
  assert.equal(await countRows(store, 'import_keys'), 0)
  const notes = await inStore(store.id, (tx) => tx.knex('import_notes').select())
  assert.ok(!JSON.stringify(notes).includes('secret'))
  await drainJobs()
})
