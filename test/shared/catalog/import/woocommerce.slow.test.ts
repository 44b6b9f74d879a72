import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import '#test/support/database.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { catalogOf, csv, importCsv, nextSlice, readJob, uploadCsv } from '#test/support/builders/import.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { importProducts } from '#workers/catalog/import-products.ts'

const HEADER =
  'ID,Type,SKU,"GTIN, UPC, EAN, or ISBN",Name,Published,"Is featured?","Short description",Description,"Date sale price starts","Date sale price ends","In stock?",Stock,"Backorders allowed?","Weight (kg)","Sale price","Regular price",Categories,Tags,Images,Parent,"Attribute 1 name","Attribute 1 value(s)","Attribute 2 name","Attribute 2 value(s)"'

// The variations are not beside their products: WooCommerce sorts by id.
const FILE = csv(
  HEADER,
  '10,variable,HOODIE,,Hoodie,1,0,Warm,"A hoodie.\\nVery warm.",,,1,,0,,,,"Clothing > Hoodies, Clothing","warm, big\\, soft","https://img.example/a.jpg, https://img.example/b.jpg",,Color,"Blue, Red",Logo,"Yes, No"',
  '11,simple,ALBUM,4006381333931,Album,1,0,,,2026-12-01,2026-12-24,1,5,notify,0.25,9.50,15,Music,,,,Label,Sub Pop,,',
  '12,"simple, virtual",,,Voucher,-1,0,,,,,1,,0,,,20,Music,,,,,,,',
  '13,grouped,SET,,Set,1,0,,,,,1,,0,,,,,,,,,,,',
  '20,variation,H-BLUE,,"Hoodie - Blue, Yes",1,0,,,,,1,3,0,1.5,,45,,,https://img.example/b.jpg,id:10,Color,Blue,Logo,Yes',
  '21,variation,H-RED,,"Hoodie - Red, No",0,0,,,,,1,0,0,1.5,40,45,,,,HOODIE,Color,Red,Logo,No',
  '22,variation,LOST,,Lost,1,0,,,,,1,3,0,,,45,,,,id:99,Color,Blue,Logo,Yes',
)

async function openStore() {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'catalog' })
  return { store, token }
}

test("WooCommerce's export is imported: variations with their product, attributes as options, categories below others", async () => {
  const { store, token } = await openStore()

  const report = await importCsv(store, token, FILE)

  assert.partialDeepStrictEqual(report, {
    format: 'woocommerce',
    status: 'succeeded',
    progress: 1,
    products_created: 3,
    variants_created: 4,
    error_count: 2,
    warning_count: 1,
    ignored_columns: ['Is featured?'],
  })
  const catalog = await catalogOf(store)
  const { product, variants } = catalog.get('hoodie') ?? assert.fail('no hoodie')
  assert.partialDeepStrictEqual(product, {
    nameI18n: { en: 'Hoodie' },
    descriptionI18n: { en: 'A hoodie.\nVery warm.' },
    tags: ['warm', 'big, soft'],
    priceMinor: 4_500n,
    options: [
      { name: 'Color', values: ['Blue', 'Red'] },
      { name: 'Logo', values: ['Yes', 'No'] },
    ],
    images: [
      { url: 'https://img.example/a.jpg', variant_ids: [] },
      { url: 'https://img.example/b.jpg', variant_ids: [variants[0]?.id] },
    ],
  })
  assert.partialDeepStrictEqual(variants, [
    { sku: 'H-BLUE', weightGrams: 1_500, stockOnHand: 3, isActive: true, optionValues: { Color: 'Blue' } },
    { sku: 'H-RED', salePriceMinor: 4_000n, isActive: false, backorder: false },
  ])
  const categories = await inStore(store.id, (tx) =>
    tx.knex('categories').select('slug', 'parent_id').orderBy('slug'),
  )
  assert.deepEqual(
    categories.map(({ slug, parent_id }) => ({ slug, isTop: parent_id === null })),
    [
      { slug: 'clothing', isTop: true },
      { slug: 'hoodies', isTop: false },
      { slug: 'music', isTop: true },
    ],
  )
})

test('a simple product has its sale with its days, and one whose stock is not counted can always be sold', async () => {
  const { store, token } = await openStore()

  await importCsv(store, token, FILE)

  const catalog = await catalogOf(store)
  assert.partialDeepStrictEqual(catalog.get('album')?.variants[0], {
    sku: 'ALBUM',
    barcode: '4006381333931',
    salePriceMinor: 950n,
    saleStartsAt: new Date('2026-12-01T00:00:00Z'),
    stockOnHand: 5,
    backorder: true,
    weightGrams: 250,
  })
  assert.equal(catalog.get('voucher')?.product.isActive, false)
  assert.equal(catalog.get('voucher')?.variants[0]?.backorder, true)
})

test('a cell that is not imported is reported with its line and a remedy', async () => {
  const { store, token } = await openStore()

  const { errors } = await importCsv(store, token, FILE)

  assert.deepEqual(
    errors.map(({ severity, line }: { severity: string; line: number }) => ({ severity, line })),
    [
      { severity: 'warning', line: 3 },
      { severity: 'error', line: 5 },
      { severity: 'error', line: 8 },
    ],
  )
  assert.match(errors[0].message, /not imported: Label\. Enter them as attributes of the product/)
  assert.match(errors[1].message, /type "grouped" has no price and stock of its own/)
  assert.match(errors[2].message, /no product "id:99".* Export the products together with their variations/)
})

test('a repeated import of the file changes nothing', async () => {
  const { store, token } = await openStore()
  await importCsv(store, token, FILE)
  const before = await catalogOf(store)

  const report = await importCsv(store, token, FILE)

  assert.partialDeepStrictEqual(report, { products_created: 0, products_changed: 0, variants_changed: 0 })
  assert.deepEqual(await catalogOf(store), before)
})

test('products with one name are different products', async () => {
  const { store, token } = await openStore()
  const row = (id: number) => `${id},simple,S-${id},,Cup,1,0,,,,,1,1,0,,,9,,,,,,,,`

  await importCsv(store, token, csv(HEADER, row(1), row(2)))

  assert.deepEqual([...(await catalogOf(store)).keys()], ['cup', 'cup-2'])
})

test('a fault names the column of the file', async () => {
  const { store, token } = await openStore()

  const { errors } = await importCsv(
    store,
    token,
    csv(HEADER, '1,simple,S,,Cup,1,0,,,,,1,1,0,,,cheap,,,,,,,,'),
  )

  assert.partialDeepStrictEqual(errors, [{ line: 2, field: 'Regular price', value: 'cheap' }])
})

test('a worker that stops between two batches continues behind the rows that are imported', async () => {
  const { store, token } = await openStore()
  const products = Array.from(
    { length: 300 },
    (_, i) => `${i + 1},variable,P${i},,Cup ${i},1,0,,,,,1,,0,,,,,,,,Size,"S, L",,`,
  )
  const variations = products.flatMap((_, i) =>
    ['S', 'L'].map((size) => `,variation,P${i}-${size},,,1,0,,,,,1,1,0,,,9,,,,P${i},Size,${size},,`),
  )
  const { data } = await uploadCsv(token, csv(HEADER, ...products, ...variations))
  let batches = 0
  const dying = Object.assign(new AbortController().signal, {
    throwIfAborted() {
      if (batches++ === 1) throw new Error('the worker stops')
    },
  })

  const slice = await nextSlice(store.id, data.id)
  await assert.rejects(importProducts.run(slice, { jobId: 'a', retry: 0, signal: dying }))
  const { progress } = await readJob(token, data.id)
  await importProducts.run(slice, { jobId: 'b', retry: 0, signal: new AbortController().signal })

  assert.ok(progress > 0.3 && progress < 0.9, String(progress))
  assert.partialDeepStrictEqual(await readJob(token, data.id), {
    status: 'succeeded',
    error_count: 0,
    products_created: 300,
    variants_created: 600,
  })
})

// The header above in the language packs of WooCommerce.
const TRANSLATED_HEADERS = {
  German:
    'ID,Typ,Artikelnummer,"GTIN, UPC, EAN oder ISBN",Name,Veröffentlicht,"Ist hervorgehoben?",Kurzbeschreibung,Beschreibung,"Datum, an dem Angebotspreis beginnt","Datum, an dem Angebotspreis endet",Vorrätig?,Lager,"Lieferrückstande erlaubt?","Gewicht (kg)",Angebotspreis,"Regulärer Preis",Kategorien,Schlagwörter,Bilder,"Übergeordnetes Produkt","Attribut 1 Name","Attribut 1 Wert(e)","Attribut 2 Name","Attribut 2 Wert(e)"',
  French:
    'ID,Type,UGS,"GTIN, UPC, EAN ou ISBN",Nom,Publié,"Mis en avant ?","Description courte",Description,"Date de début de promo","Date de fin de promo","En stock\u00a0?",Stock,"Autoriser les commandes de produits en rupture\u00a0?","Poids (kg)","Tarif promo","Tarif régulier",Catégories,Étiquettes,Images,Parent,"Nom de l’attribut 1","Valeur(s) de l’attribut 1 ","Nom de l’attribut 2","Valeur(s) de l’attribut 2 "',
  Spanish:
    'ID,Tipo,SKU,"GTIN, UPC, EAN o ISBN",Nombre,Publicado,"¿Está destacado?","Descripción corta",Descripción,"Día en que empieza el precio rebajado","Día en que termina el precio rebajado","¿En inventario?",Inventario,"¿Permitir reservas de productos agotados?","Peso (kg)","Precio rebajado","Precio normal",Categorías,Etiquetas,Imágenes,Superior,"Nombre del atributo 1","Valor(es) del atributo 1","Nombre del atributo 2","Valor(es) del atributo 2"',
  Italian:
    'ID,Tipo,COD,"GTIN, UPC, EAN o ISBN",Nome,Pubblicato,"In primo piano?","Breve descrizione",Descrizione,"Data di partenza del prezzo in saldo","Data in cui termina l\'offerta","In stock?",Magazzino,"Abilita gli ordini arretrati?","Peso (kg)","Prezzo in offerta","Prezzo di listino",Categorie,Tag,Immagine,Genitore,"Attributo 1 nome","Attributo 1 valuta(e)","Attributo 2 nome","Attributo 2 valuta(e)"',
  Dutch:
    'ID,Type,Artikelnummer,"GTIN, UPC, EAN of ISBN",Naam,Gepubliceerd,Uitgelicht?,"Korte omschrijving",Beschrijving,"Startdatum actieprijs","Einddatum actieprijs","Op voorraad?",Voorraad,"Nabestellingen toestaan?","Gewicht (kg)",Actieprijs,"Reguliere prijs",Categorieën,Tags,Afbeeldingen,Hoofd,"Naam eigenschap 1","Waarde eigenschap 1","Naam eigenschap 2","Waarde eigenschap 2"',
}

/** What a file makes of a store, without ids and times. */
async function importedBy(file: string) {
  const { store, token } = await openStore()
  const report = await importCsv(store, token, file)
  const products = [...(await catalogOf(store)).values()].map(({ product, variants }) => ({
    texts: [product.slug, product.nameI18n, product.descriptionI18n, product.tags],
    options: product.options,
    images: product.images.map(({ url }) => url),
    variants: variants.map((variant) => ({
      sku: variant.sku,
      barcode: variant.barcode,
      values: variant.optionValues,
      price: variant.priceMinor,
      sale: variant.salePriceMinor,
      from: variant.saleStartsAt,
      weight: variant.weightGrams,
      stock: variant.stockOnHand,
      backorder: variant.backorder,
      to: variant.saleEndsAt,
      isActive: variant.isActive,
    })),
  }))
  const { products_created, variants_created, error_count, warning_count, format } = report
  return {
    products,
    counts: { products_created, variants_created, error_count, warning_count },
    format,
    ignored: report.ignored_columns.length,
  }
}

let english: Awaited<ReturnType<typeof importedBy>>

before(async () => {
  english = await importedBy(FILE)
})

for (const [language, header] of Object.entries(TRANSLATED_HEADERS))
  test(`a ${language} header of WooCommerce is read like the English one`, async () => {
    const [, ...rows] = FILE.split('\n')

    const translated = await importedBy([header, ...rows].join('\n'))

    assert.deepEqual(translated, english)
  })

test('a fault names the column as the translated header does', async () => {
  const { store, token } = await openStore()

  const { errors } = await importCsv(
    store,
    token,
    csv(TRANSLATED_HEADERS.German, '1,simple,S,,Cup,1,0,,,,,1,1,0,,,cheap,,,,,,,,'),
  )

  assert.partialDeepStrictEqual(errors, [{ line: 2, field: 'Regulärer Preis', value: 'cheap' }])
})

test('a variation for any value of an attribute is imported with a warning', async () => {
  const { store, token } = await openStore()

  const report = await importCsv(
    store,
    token,
    csv(
      HEADER,
      '1,variable,P,,Cup,1,0,,,,,1,,0,,,,,,,,Size,"S, L",Colour,"Red, Blue"',
      ',variation,P-S,,,1,0,,,,,1,1,0,,,9,,,,P,Size,S,Colour,Red',
      ',variation,P-L,,,1,0,,,,,1,1,0,,,9,,,,P,Size,L,,',
      ',variation,P-L2,,,1,0,,,,,1,1,0,,,9,,,,P,Size,L,,',
    ),
  )

  const { variants } = (await catalogOf(store)).get('cup') ?? assert.fail('no cup')
  assert.deepEqual(
    variants.map(({ sku, optionValues }) => ({ sku, optionValues })),
    [
      { sku: 'P-S', optionValues: { Size: 'S', Colour: 'Red' } },
      { sku: 'P-L', optionValues: { Size: 'L', Colour: 'Any' } },
    ],
  )
  assert.partialDeepStrictEqual(report.errors, [
    { severity: 'warning', line: 4 },
    {
      severity: 'error',
      line: 5,
      message: 'The variant P-L has the same options. Change the options or remove the row',
    },
  ])
  assert.match(report.errors[0].message, /any value of Colour.* Make a variant for each value/)
})
