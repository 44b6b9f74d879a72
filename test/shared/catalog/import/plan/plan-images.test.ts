import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planImages } from '#shared/catalog/import/plan/plan-images.ts'
import type { PlannedVariant } from '#shared/catalog/import/plan/plan-variants.ts'

const COUNT = 20

test('each image of a variant is planned with its variant', () => {
  const urls = Array.from({ length: COUNT }, (_, i) => `https://a.test/${`${i}`.padStart(20, '0')}`)
  const cells = urls.map((url) => ({ url, alt: null, position: null }))
  const variants = urls.map((imageUrl, i) => ({ variant: { id: `${i}` }, imageUrl })) as PlannedVariant[]

  const images = planImages([], cells, variants)

  assert.equal(images.length, COUNT)
  assert.deepEqual(images[7]?.variant_ids, ['7'])
})

test('an image keeps its variants, and loses those that the file shows by another one', () => {
  const image = (url: string, ...variant_ids: string[]) => ({
    id: url,
    url,
    alt: '',
    position: 0,
    variant_ids,
  })
  const before = [image('a', '1', '2'), image('b', '3')]
  const variants = [
    { variant: { id: '2' }, imageUrl: 'b' },
    { variant: { id: '3' }, imageUrl: 'b' },
    { variant: { id: '4' }, imageUrl: 'c' },
  ] as PlannedVariant[]

  const images = planImages(before, [{ url: 'a', alt: 'A', position: null }], variants)

  assert.deepEqual(
    images.map(({ url, alt, variant_ids }) => ({ url, alt, variant_ids })),
    [
      { url: 'a', alt: 'A', variant_ids: ['1'] },
      { url: 'b', alt: '', variant_ids: ['3', '2'] },
      { url: 'c', alt: '', variant_ids: ['4'] },
    ],
  )
})
