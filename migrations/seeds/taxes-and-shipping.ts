import { COUNTRIES } from '#shared/geo/countries.ts'
import { createGeoZone } from '#shared/geo/create-geo-zone.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { createShippingMethod } from '#shared/shipping-methods/create-shipping-method.ts'
import { createTaxClass } from '#shared/tax/classes/create-tax-class.ts'
import { toPpm } from '#shared/tax/percent.ts'
import { createTaxRate } from '#shared/tax/rates/create-tax-rate.ts'

export interface TaxDraft {
  /** The first one is the default. */
  code: 'standard' | 'reduced'
  percent: number
  zones: Zone[]
}

export interface ShippingDraft {
  code: string
  name: string
  nameDe: string
  priceMinor: bigint
  freeFromMinor?: bigint
  days: string
  zones: Zone[]
}

// The countries of the European Union's VAT area. The zone `union` of a store leaves out the store's own country.
const UNION = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ')

const ZONES = {
  germany: { name: 'Germany', countries: ['DE'] },
  denmark: { name: 'Denmark', countries: ['DK'] },
  union: { name: 'European Union', countries: UNION },
  world: { name: 'Rest of the world', countries: COUNTRIES.filter((code) => !UNION.includes(code)) },
}
type Zone = keyof typeof ZONES

interface Demo {
  country?: string
  taxes: TaxDraft[]
  shipping: ShippingDraft[]
}

/**
 * Creates the geo zones, taxes and shipping methods of a demo store. Shipping prices include tax if the store's prices
 * do.
 */
export async function seedTaxesAndShipping(tx: StoreTx, { country, taxes, shipping }: Demo): Promise<void> {
  const used = new Set([...taxes, ...shipping].flatMap(({ zones }) => zones))
  const zoneIds = new Map<Zone, string>()
  for (const zone of used) {
    const { name, countries } = ZONES[zone]
    const members = countries
      .filter((code) => countries.length === 1 || code !== country)
      .map((code) => ({ country: code }))
    zoneIds.set(zone, (await createGeoZone(tx, { name, members })).id)
  }
  const idsOf = (zones: Zone[]) => zones.map((zone) => zoneIds.get(zone) ?? '')

  for (const [index, { code, percent, zones }] of taxes.entries())
    await seedTax(tx, { code, percent, isDefault: index === 0, geoZoneIds: idsOf(zones) })
  for (const [position, { zones, ...method }] of shipping.entries())
    await seedMethod(tx, method, idsOf(zones), position)
}

const CLASSES = { standard: 'Standard', reduced: 'Reduced' }

async function seedTax(
  tx: StoreTx,
  given: { code: TaxDraft['code']; percent: number; isDefault: boolean; geoZoneIds: string[] },
): Promise<void> {
  const { id } = await createTaxClass(tx, { name: CLASSES[given.code], isDefault: given.isDefault })
  for (const geoZoneId of given.geoZoneIds)
    await createTaxRate(tx, {
      name: `VAT ${given.percent} %`,
      ratePpm: toPpm(given.percent),
      taxClassId: id,
      geoZoneId,
    })
}

const seedMethod = (
  tx: StoreTx,
  { code, name, nameDe, priceMinor, freeFromMinor, days }: Omit<ShippingDraft, 'zones'>,
  geoZoneIds: string[],
  position: number,
) =>
  createShippingMethod(tx, {
    code,
    nameI18n: { en: name, de: nameDe },
    estimateI18n: { en: `${days} working days`, de: `${days} Werktage` },
    priceMinor,
    freeFromMinor: freeFromMinor ?? null,
    maxWeightGrams: null,
    taxClassId: null,
    geoZoneIds,
    position,
    isActive: true,
  })
