import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import '#test/support/database.ts'
import sharp from 'sharp'
import { createImage } from '#shared/images/create-image.ts'
import { FAILURES, Image } from '#shared/images/image.ts'
import { MAX_BYTES } from '#shared/images/limits.ts'
import { failImage } from '#shared/images/publish-image.ts'
import { assertWithinQuota } from '#shared/images/quota.ts'
import { readHeader } from '#shared/images/read-header.ts'
import { config, resetConfig } from '#shared/platform/config/config.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildImage, drawPicture } from '#test/support/builders/images.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { baseUrl, request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { withWorker } from '#test/support/processes/with-worker.ts'
import { pending, untilOneWaits } from '#test/support/races/overlap.ts'
import { until } from '#test/support/races/until.ts'
import { readDescribed } from '#test/support/requests/described.ts'

type Body = Buffer | FormData | ReadableStream

async function scene() {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'catalog' })
  /** Uploads without waiting for a worker. */
  const upload = async (body: Body, headers: Record<string, string> = {}) => {
    const response = await fetch(`${baseUrl}/api/v1/admin/images`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, Prefer: 'respond-async', ...headers },
      body: body instanceof Buffer ? new Uint8Array(body) : body,
      duplex: 'half',
    } as RequestInit)
    return { status: response.status, ...(await readDescribed('POST', '/admin/images', response)) }
  }
  const raw = (body: Body, type = 'application/octet-stream', headers: Record<string, string> = {}) =>
    upload(body, { 'Content-Type': type, ...headers })
  const read = (id: string) => request(`GET /admin/images/${id}`, { token })
  const list = () => request('GET /admin/images', { token })
  const remove = (id: string) => request(`DELETE /admin/images/${id}`, { token })
  return { store, token, upload, raw, read, list, remove }
}

function formOf(bytes: Buffer, name = 'a.jpg'): FormData {
  const form = new FormData()
  form.set('note', 'before the file')
  form.set('file', new Blob([new Uint8Array(bytes)]), name)
  return form
}

const filesOf = (url: string): Promise<string[]> =>
  readdir(`${config().IMAGES_DIR}/${url.split('/').at(-2)}`).catch(() => [])

test('an uploaded image is processed, then its files are public', async () => {
  const { raw, read } = await scene()

  const { status, data } = await raw(await drawPicture({ width: 900, height: 600 }))
  await drainJobs()

  assert.equal(status, 202)
  assert.partialDeepStrictEqual(data, {
    status: 'processing',
    url: '',
    variants: [],
    width: 900,
    height: 600,
  })
  const ready = (await read(data.id)).data
  assert.equal(ready.status, 'ready')
  assert.deepEqual(
    ready.variants.map(({ width, height }: Record<string, number>) => ({ width, height })),
    [
      { width: 200, height: 133 },
      { width: 400, height: 267 },
      { width: 800, height: 533 },
      { width: 900, height: 600 },
    ],
  )
  assert.equal(ready.url, ready.variants.at(-1).url)
  for (const { url, width, height, bytes } of ready.variants) {
    const response = await fetch(url)
    const content = Buffer.from(await response.arrayBuffer())
    assert.equal(content.length, bytes)
    assert.partialDeepStrictEqual(await sharp(content).metadata(), { format: 'webp', width, height })
  }
})

test('an upload whose files are ready in time returns 201', async () => {
  const { token } = await scene()
  const form = formOf(await drawPicture())

  const response = await withWorker(
    fetch(`${baseUrl}/api/v1/admin/images`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      body: form,
    }),
  )

  assert.equal(response.status, 201)
  const { data } = (await response.json()) as { data: { status: string } }
  assert.equal(data.status, 'ready')
})

for (const format of ['jpeg', 'png', 'webp', 'avif'] as const)
  test(`a ${format} is accepted raw and as a form, whatever its declared type`, async () => {
    const { raw, upload, read } = await scene()
    const bytes = await drawPicture({ format })

    const uploads = [
      await raw(bytes),
      await raw(bytes, format === 'png' ? 'image/jpeg' : 'image/png'),
      await upload(formOf(bytes, 'a.svg')),
    ]
    await drainJobs()

    for (const { status, data } of uploads) {
      assert.equal(status, 202)
      assert.equal(data.content_type, `image/${format}`)
      assert.equal((await read(data.id)).data.status, 'ready')
    }
  })

test('the files have immutable caching, nosniff and no other headers of the upload', async () => {
  const { raw, read } = await scene()
  const { data } = await raw(await drawPicture(), 'image/jpeg')
  await drainJobs()
  const { url } = (await read(data.id)).data

  const { headers, status } = await fetch(url)
  const unchanged = await fetch(url, {
    headers: { 'If-None-Match': headers.get('etag') ?? '', 'Cache-Control': 'max-age=0' },
  })

  assert.equal(status, 200)
  assert.equal(unchanged.status, 304)
  assert.partialDeepStrictEqual(Object.fromEntries(headers), {
    'content-type': 'image/webp',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  })
})

test('only the files of images are served from the folder', async () => {
  const { raw, read } = await scene()
  const { data } = await raw(await drawPicture())
  await drainJobs()
  const { url } = (await read(data.id)).data
  const folder = url.slice(0, url.lastIndexOf('/'))

  for (const path of ['/100.webp', '/..%2f..%2fpackage.json', '', '/../../package.json'])
    assert.equal((await fetch(`${folder}${path}`)).status, 404, path)
})

test('the files are upright and without the place of a photo', async () => {
  const { raw, read } = await scene()
  const photo = await sharp(await drawPicture({ width: 300, height: 100 }))
    .withExif({ IFD0: { Copyright: 'secret place' }, IFD3: { GPSLatitudeRef: 'N' } })
    .withMetadata({ orientation: 6 })
    .toBuffer()
  assert.ok(photo.includes('secret place'), 'control: the upload carries it')

  const { data } = await raw(photo)
  await drainJobs()

  assert.partialDeepStrictEqual(data, { width: 100, height: 300 })
  for (const { url } of (await read(data.id)).data.variants) {
    const content = Buffer.from(await (await fetch(url)).arrayBuffer())
    const { width = 0, height = 0, exif, orientation } = await sharp(content).metadata()
    assert.ok(width < height)
    assert.deepEqual({ exif, orientation }, { exif: undefined, orientation: undefined })
    assert.ok(!content.includes('secret place'))
  }
})

const REFUSED: Record<string, [text: string, code: string]> = {
  'an SVG': ['<svg xmlns="http://www.w3.org/2000/svg"><script>hit()</script></svg>', 'unsupported_format'],
  'a HTML document': ['<script>hit()</script>', 'unsupported_format'],
  'an empty file': ['', 'unsupported_format'],
  'a JPEG without a size': ['\xff\xd8\xff', 'unreadable'],
  'a PNG of 4 gigapixels': [
    '\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xff\xff\0\0\xff\xff\x08\x06\0\0\0\0\0\0\0',
    'too_many_pixels',
  ],
}

for (const [name, [text, code]] of Object.entries(REFUSED))
  test(`${name} returns image.${code} and changes nothing`, async () => {
    const { raw, upload, list } = await scene()
    const bytes = Buffer.from(text, 'latin1')

    const answers = [await raw(bytes, 'image/png'), await upload(formOf(bytes))]

    for (const answer of answers)
      assert.partialDeepStrictEqual(answer, { status: 422, error_code: `image.${code}` })
    assert.deepEqual((await list()).data, [])
  })

test('an image whose pixels are damaged becomes failed and has no files', async () => {
  const { raw, read } = await scene()
  const whole = await drawPicture({ width: 800, height: 800, format: 'png' })

  const { status, data } = await raw(Buffer.concat([whole.subarray(0, 60), Buffer.alloc(500)]))
  await drainJobs()

  assert.equal(status, 202)
  assert.partialDeepStrictEqual((await read(data.id)).data, {
    status: 'failed',
    url: '',
    variants: [],
    failure_reason: 'The pixels cannot be decoded',
  })
})

for (const [failure, code] of [
  [FAILURES.undecodable, 'image.unreadable'],
  [FAILURES.tooSlow, 'image.too_costly'],
  [FAILURES.tooLarge, 'image.too_costly'],
] as const)
  test(`an upload that waits for an image that fails with "${failure}" returns ${code}`, async () => {
    const { store, raw, list } = await scene()
    const uploading = raw(await drawPicture(), 'image/jpeg', { Prefer: 'wait=10' })
    await until('the image is stored', async () => (await list()).data.length === 1)
    const { id } = (await list()).data[0]

    await inStore(store.id, (tx) => failImage(tx, id, failure))

    assert.partialDeepStrictEqual(await uploading, { status: 422, error_code: code })
  })

test('a file above 20 MB returns 413, announced or not', async () => {
  const { raw, upload, list } = await scene()
  const bytes = Buffer.concat([await drawPicture(), Buffer.alloc(MAX_BYTES)])
  const unannounced = new Blob([new Uint8Array(bytes)]).stream()

  const answers = [await raw(bytes), await raw(unannounced), await upload(formOf(bytes))]

  for (const answer of answers)
    assert.partialDeepStrictEqual(answer, { status: 413, error_code: 'request.too_large' })
  assert.deepEqual((await list()).data, [])
})

for (const [name, type, body, status] of [
  ['another type', 'text/plain', 'x', 415],
  ['a form without a boundary', 'multipart/form-data', 'x', 400],
  ['a form without a file', 'multipart/form-data; boundary=b', '--b\r\n\r\n\r\n--b--\r\n', 400],
  ['a form that ends early', 'multipart/form-data; boundary=b', '--b\r\nContent-Dis', 400],
  [
    'a form whose file ends early',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name=a; filename=a\r\n\r\n\xff\xd8',
    400,
  ],
] as const)
  test(`${name} returns ${status} and changes nothing`, async () => {
    const { raw, list } = await scene()

    assert.equal((await raw(Buffer.from(body, 'latin1'), type)).status, status)
    assert.deepEqual((await list()).data, [])
  })

test('a deleted image is not found, and its files are removed', async () => {
  const { raw, read, remove } = await scene()
  const { data } = await raw(await drawPicture())
  await drainJobs()
  const { url } = (await read(data.id)).data
  assert.equal((await filesOf(url)).length, 3)

  const removed = await remove(data.id)
  await drainJobs()

  assert.partialDeepStrictEqual(removed, { status: 200, data: null })
  assert.equal((await read(data.id)).status, 404)
  assert.equal((await remove(data.id)).status, 404)
  assert.deepEqual(await filesOf(url), [])
  assert.equal((await fetch(url)).status, 404)
})

test('an upload whose image is deleted while it waits returns 404 immediately', {
  timeout: 60_000,
}, async () => {
  const { raw, list, remove } = await scene()
  const uploading = raw(await drawPicture(), undefined, { Prefer: '' })
  await until('the image is listed', async () => (await list()).data.length > 0)

  await remove((await list()).data[0].id)

  assert.equal((await uploading).status, 404)
})

test('another store finds no image', async () => {
  const [own, other] = [await scene(), await scene()]
  const { id } = await buildImage(own.store)

  assert.equal((await other.read(id)).status, 404)
  assert.equal((await other.remove(id)).status, 404)
  assert.deepEqual((await other.list()).data, [])
  assert.equal((await own.read(id)).status, 200)
})

test('a product accepts the URL of an uploaded image and any other URL', async () => {
  const { store, token, raw, read } = await scene()
  const { data } = await raw(await drawPicture())
  await drainJobs()
  const { url } = (await read(data.id)).data
  const { id } = await buildProduct(store)
  const items = [{ url }, { url: 'https://elsewhere.example/a.jpg' }]

  const { status, data: product } = await request(`PUT /admin/products/${id}/images`, {
    token,
    body: { items },
  })

  assert.equal(status, 200)
  const urls = (product.images ?? product).map((image: { url: string }) => image.url)
  assert.deepEqual(urls, [url, 'https://elsewhere.example/a.jpg'])
})

test('the audit log names the uploaded image', async () => {
  const { store, raw } = await scene()
  const { data } = await raw(await drawPicture())
  const { token } = await buildStaff(store, { role: 'owner' })

  const { data: log } = await request(`GET /admin/audit-log?resource_id=${data.id}`, { token })

  assert.partialDeepStrictEqual(log, [{ action: 'postAdminImages', after: { id: data.id } }])
})

function limitStore(megabytes: number): void {
  process.env.IMAGES_STORE_MB = String(megabytes)
  resetConfig()
}

/** A noisy picture of about `bytes` bytes: it cannot be compressed further. */
const drawNoise = (bytes: number): Promise<Buffer> => {
  const width = Math.floor(Math.sqrt(bytes / 3))
  const noise = randomBytes(width * width * 3)
  return sharp(noise, { raw: { width, height: width, channels: 3 } })
    .png()
    .toBuffer()
}

test('an upload above the quota of its store returns 409 before its body is read; after a deletion it succeeds', async (t) => {
  limitStore(1)
  t.after(() => limitStore(5_000))
  const { raw, list, remove, read } = await scene()
  const other = await scene()
  const large = await drawNoise(700_000)

  const first = await raw(large)
  const second = await raw(large)

  assert.deepEqual({ first: first.status, second: second.status }, { first: 202, second: 409 })
  assert.equal(second.error_code, 'image.quota_exceeded')
  assert.match(second.error, /1 MB of 1 MB.*Delete images/)
  assert.equal((await list()).data.length, 1)
  assert.equal((await other.raw(large)).status, 202)
  await drainJobs()
  assert.equal((await read(first.data.id)).data.status, 'ready')
  const small = await drawPicture()
  assert.equal((await raw(small)).status, 202, 'the files are smaller than the upload')
  await remove(first.data.id)
  assert.equal((await raw(large)).status, 202)
})

test('the one of two concurrently uploaded images that is past the limit is refused', async (t) => {
  limitStore(1)
  t.after(() => limitStore(5_000))
  const { store, raw, list } = await scene()
  const large = await drawNoise(700_000)
  const within = (work: (tx: StoreTx) => Promise<void>) => inStore(store.id, work)
  const first = await pending(within, (tx) => createImage(tx, readHeader(large), large))
  const second = raw(large)

  await untilOneWaits()
  first.commit()
  await first.done

  assert.equal((await second).error_code, 'image.quota_exceeded')
  assert.equal((await list()).data.length, 1)
})

test('control: without the lock both are saved', async (t) => {
  limitStore(1)
  t.after(() => limitStore(5_000))
  const { store } = await scene()
  const bytes = 700_000
  const within = (work: (tx: StoreTx) => Promise<void>) => inStore(store.id, work)
  const saveUnlocked = async (tx: StoreTx) => {
    await assertWithinQuota(tx, bytes)
    const at = now()
    const image = { contentType: 'image/png' as const, width: 1, height: 1, bytes, storedBytes: bytes }
    const name = randomBytes(24).toString('base64url')
    await Image.in(tx).insert({
      ...image,
      name,
      status: 'processing',
      files: [],
      createdAt: at,
      updatedAt: at,
    })
  }

  const first = await pending(within, saveUnlocked)
  await within(saveUnlocked)
  first.commit()
  await first.done

  await assert.rejects(
    inStore(store.id, (tx) => assertWithinQuota(tx, 0)),
    { code: 'image.quota_exceeded' },
  )
})
