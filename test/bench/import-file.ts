const SIZES = ['Small', 'Medium', 'Large']
const WORDS =
  'harbor quay anchor sail rope deck brass oak linen cotton wool signal lamp tide current buoy keel'.split(
    ' ',
  )

const HEADER =
  'Handle,Title,Body (HTML),Vendor,Type,Tags,Published,Option1 Name,Option1 Value,Variant SKU,Variant Grams,' +
  'Variant Inventory Tracker,Variant Inventory Qty,Variant Inventory Policy,Variant Price,Variant Compare At Price,' +
  'Variant Barcode,Image Src,Image Position,Image Alt Text,Status'

const words = (seed: number, count: number): string =>
  Array.from({ length: count }, (_, i) => WORDS[(seed * 7 + i * 13) % WORDS.length]).join(' ')

/** A product file as Shopify exports it: three variants and three images for each product. */
export function productFile(products: number): string {
  const rows = Array.from({ length: products }, (_, product) =>
    SIZES.map((size, i) => row(product, size, i)).join('\n'),
  )
  return `${[HEADER, ...rows].join('\n')}\n`
}

function row(product: number, size: string, i: number): string {
  const texts =
    i > 0
      ? ',,,,,'
      : [
          `Product ${product} ${words(product, 3)}`,
          `"<p>${words(product, 40)}</p>"`,
          `Maker ${product % 20}`,
          `Type ${product % 15}`,
          `"new, ${words(product, 1)}"`,
          'true',
        ].join(',')
  const number = product * SIZES.length + i
  const stock = `${200 + i},shopify,${product % 30},deny`
  const prices = `${10 + i}.90,${product % 5 ? '' : '20.00'}`
  const image = `https://images.example/${number}.jpg,${i + 1},Picture ${i + 1}`
  return `product-${product},${texts},${i ? '' : 'Size'},${size},SKU-${number},${stock},${prices},${4_006_300_000_000 + number},${image},${i ? '' : 'active'}`
}
