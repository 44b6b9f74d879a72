import { type Static, Type } from 'typebox'
import { staff } from '#api/platform/auth/access.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { EXPORT_FORMATS, exportProducts as writeProducts } from '#shared/catalog/export/export-products.ts'
import type { ExportFilter } from '#shared/catalog/search/list-admin-products.ts'
import { CsvText, Shape } from '#shared/platform/http/schema.ts'
import { AdminProductQuery } from './product-query.ts'

const { page: _, page_size: __, sort: ___, ...filters } = AdminProductQuery.properties

const ExportQuery = Shape({
  format: Type.Enum([...EXPORT_FORMATS], {
    default: 'own',
    description: "`shopify`: the columns of Shopify's product export",
  }),
  ...filters,
})

const toFilter = ({ format: _, ...filter }: Static<typeof ExportQuery>): ExportFilter => filter

export const exportProducts = endpoint({
  method: 'get',
  path: '/admin/products/export',
  access: staff('catalog:read'),
  summary: 'Export products as a CSV file',
  description:
    'One row is one variant or one image; the first row of a product has its texts. The response is streamed; ' +
    '`X-Total-Rows` is the number of its rows. A product that changes during the export is written in the state in ' +
    'which it is read. A text that a spreadsheet would run as a formula, or a code that it would change, begins with ' +
    "an apostrophe. The texts are those of at most 100 languages, the store's languages first.\n\n" +
    "`POST /admin/products/import` reads the file back without a change. Shopify's format has the texts of one " +
    'language, the first category as `Type`, at most three options, the current price without later sales, and no ' +
    'flag for inactive variants. Fields that it lacks keep their values when the file is imported.',
  query: ExportQuery,
  returns: [200, CsvText],
  example: {
    data:
      'slug,name,option1_name,option1_value,sku,price\noak-stool,Oak stool,Height,45 cm,OAK-45,89\noak-stool,,,65 ' +
      'cm,OAK-65,99\n',
  },
  handle: ({ tx, store, query }) => writeProducts(tx, store, query.format, toFilter(query)),
})
