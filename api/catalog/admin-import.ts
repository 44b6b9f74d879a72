import { Type } from 'typebox'
import { importEndpoints } from '#api/imports/import-endpoints.ts'
import { staff, staffNotSupport } from '#api/platform/auth/access.ts'
import { importProducts as job } from '#shared/catalog/import/jobs.ts'
import { readHeader } from '#shared/catalog/import/read-header.ts'
import { PRODUCT_IMPORT } from '#shared/catalog/import/view.ts'
import { finishedImportExample, queuedImportExample } from './admin-import-examples.ts'

export const {
  upload: importProducts,
  list: listProductImports,
  read: showProductImport,
} = importEndpoints({
  kind: 'products',
  path: '/admin/products/import',
  jobsPath: '/admin/catalog-jobs',
  audit: { action: 'postAdminProductsImport', resource: 'products/import' },
  reads: staff('catalog:read'),
  // An import outlasts a support session: a file can schedule sale prices, and a worker may import it later.
  writes: staffNotSupport('catalog:write'),
  description: {
    formats:
      "this service's own (as `GET /admin/products/export` writes it), Shopify's old or new product export, or " +
      "WooCommerce's, whose attributes that distinguish variations become options",
    rows:
      'One row is one variant. `slug` finds the product, `sku` the variant. A row without a SKU is matched by its ' +
      "options, and a new variant gets a SKU derived from them. Shopify's compare-at price above the price is a sale " +
      'that starts immediately. The stock on hand is set; orders that then lack units are listed by `GET ' +
      '/admin/orders?short=true`. Variants without an inventory tracker, or with the policy `continue`, can be sold ' +
      'beyond their stock. `categories` are names between commas; `>` leads to a subcategory. The description is ' +
      'saved unchanged: staff are trusted with HTML. Each new or changed product emits one event, `product.created` ' +
      'or `product.updated`.',
  },
  parameters: {
    decimal_comma: Type.Boolean({ default: false, description: 'Numbers are written like 1.299,50' }),
    duplicate_skus: Type.Enum(['refuse', 'rename'], {
      default: 'refuse',
      description:
        'Shopify allows several variants with one SKU. `refuse` rejects the later ones; `rename` gives them a SKU ' +
        "made of their product's slug and their options",
    }),
  },
  readOptions: ({ decimal_comma, duplicate_skus }) => ({
    decimalComma: decimal_comma,
    renamesDuplicates: duplicate_skus === 'rename',
  }),
  readHeader,
  job,
  views: PRODUCT_IMPORT,
  examples: {
    file:
      'Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price\noak-stool,Oak stool,Height,45 ' +
      'cm,OAK-45,89.00\noak-stool,,,65 cm,OAK-65,99.00\n',
    queued: queuedImportExample,
    finished: finishedImportExample,
    error: {
      severity: 'error',
      line: 17,
      field: 'Variant Price',
      message: 'Write an amount that is not below zero',
      value: '-5.00',
    },
  },
})
