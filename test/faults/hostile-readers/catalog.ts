import { redactChange } from '#shared/audit/redact-change.ts'
import { rowsOf } from '#shared/catalog/export/export-rows.ts'
import type { ExportedProduct } from '#shared/catalog/export/load-exported-parts.ts'
import { buildProduct, type NewProduct } from '#shared/catalog/new-product.ts'
import { arrangeImages, type ProductImage } from '#shared/catalog/product-image.ts'
import { checkVariants } from '#shared/catalog/variants/check-variants.ts'
import { newId } from '#shared/platform/db/id.ts'
import { list, reader } from './reader.ts'

const VALUES = list(200, (n) => `${'v'.repeat(80)}${n}`)
const IDS = list(1_000, newId)
const SMALL_TEXTS = Object.fromEntries(list(40, (n) => [`key ${n}`, `text ${n}`]))
const image = (index: number, ids: string[]): ProductImage => ({
  id: newId(),
  url: `https://images.example/${index}`,
  alt: '',
  position: index,
  variant_ids: ids,
})

export const CATALOG = [
  reader({
    name: 'the options of variants',
    most: 1_000,
    make: (size) =>
      list(size, (n) => ({
        sku: `S${n}`,
        optionValues: {
          Size: VALUES.at(-1 - (n % 200)) as string,
          Color: VALUES[Math.floor(n / 200)] as string,
        },
      })),
    read: (variants) =>
      checkVariants(
        ['Size', 'Color'].map((name) => ({ name, values: VALUES })),
        variants,
      ),
  }),
  reader({
    name: 'the images of a new product',
    most: 1_000,
    make: (size) => ({
      variants: list(size, (n) => ({ sku: `S${n}` })),
      images: list(250, () => ({ url: '', alt: '', variantSkus: [`S${size}`] })),
      categoryIds: [],
      priceRules: [],
      relatedIds: [],
      tags: [],
      attributes: [],
    }),
    read: (product) => buildProduct(product as unknown as NewProduct, [], { slug: 'cup', defaultSku: 'CUP' }),
  }),
  reader({
    name: 'the images of a product',
    most: 250,
    make: (size) => list(size, (n) => image(n, IDS.slice(n, n + 20))),
    read: (images) =>
      arrangeImages(
        images.map(({ variant_ids, ...one }) => ({ ...one, variantIds: variant_ids })),
        images.map((one) => ({ ...one, id: newId(), url: `${one.url}/other` })),
        IDS.map((id) => ({ id })),
      ),
  }),
  reader({
    name: 'the export of variants that no image names',
    most: 1_000,
    make: (size) => ({
      product: { images: list(5, (n) => image(n, IDS.slice(0, size))) },
      variants: list(size, () => ({ id: newId() })),
    }),
    read: (exported) => rowsOf(exported as unknown as ExportedProduct).map((row) => row.variantImageUrl),
  }),
  reader({
    name: 'the audited change of a product',
    most: 500,
    make: (size) =>
      [1, 2].map((price) => ({
        id: 'cup',
        variants: IDS.slice(0, size).map((id) => ({ id, price, sku: id })),
      })),
    read: ([before, after]) => redactChange({ before, after }, 'products'),
  }),
  reader({
    name: 'the audit of a copy of a product with a thousand variants',
    most: 1_000,
    make: (size) =>
      ['cup', 'copy'].map((id) => ({
        id,
        variants: list(size, (n) => ({ id: `${id} ${n}`, metadata: SMALL_TEXTS })),
      })),
    read: ([before, after]) => redactChange({ before, after }, 'products'),
  }),
]
