import { createContentPage } from '#shared/content-pages/create-content-page.ts'
import { renderBodies } from '#shared/content-pages/render-bodies.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import type { Texts } from '#shared/platform/text.ts'

interface DemoPage {
  slug: string
  titleI18n: Texts
  bodyI18n: Texts
}

/** The information pages of the demo stores, in the order of their footers. */
const DEMO_PAGES: Record<string, readonly DemoPage[]> = {
  harbor: [
    {
      slug: 'imprint',
      titleI18n: { en: 'Imprint', de: 'Impressum' },
      bodyI18n: {
        en: `**Harbor Goods GmbH**\\
Kaistraße 12, 20457 Hamburg, Germany

Managing director: Hanne Clausen

E-mail: hello@harbor.example\\
Telephone: [+49 40 5550 120](tel:+49405550120)`,
        de: `**Harbor Goods GmbH**\\
Kaistraße 12, 20457 Hamburg

Geschäftsführerin: Hanne Clausen

E-Mail: hello@harbor.example\\
Telefon: [+49 40 5550 120](tel:+49405550120)`,
      },
    },
    {
      slug: 'terms',
      titleI18n: { en: 'Terms of sale', de: 'Allgemeine Geschäftsbedingungen' },
      bodyI18n: {
        en: `This text is an example and no legal advice.

## 1. Contract

Your order is an offer. The contract begins when we confirm the order by mail.

## 2. Prices and payment

Prices are in euros. You pay by card, by bank transfer or on delivery.

## 3. Returns

You can return goods within **30 days**. Send the return from your account, and we refund the price within 14 days of
its arrival.`,
        de: `Dieser Text ist ein Beispiel und keine Rechtsberatung.

## 1. Vertrag

Deine Bestellung ist ein Angebot. Der Vertrag beginnt, wenn wir die Bestellung per E-Mail bestätigen.

## 2. Preise und Zahlung

Die Preise sind in Euro. Du zahlst mit Karte, per Überweisung oder per Nachnahme.

## 3. Rückgabe

Du kannst Ware innerhalb von **30 Tagen** zurückgeben. Melde die Rückgabe in deinem Konto an; wir erstatten den Preis
innerhalb von 14 Tagen nach ihrem Eingang.`,
      },
    },
    {
      slug: 'shipping',
      titleI18n: { en: 'Shipping', de: 'Versand' },
      bodyI18n: {
        en: `We ship from Hamburg on every working day.

| To | Service | Price | Days |
| --- | --- | ---: | ---: |
| Germany | Parcel | €4.90, free from €100 | 2–4 |
| Germany | Express | €12.90 | 1 |
| European Union | Parcel | €12.90 | 4–7 |
| World | Parcel | €29.90 | 7–21 |`,
        de: `Wir versenden an jedem Werktag aus Hamburg.

| Nach | Versandart | Preis | Tage |
| --- | --- | ---: | ---: |
| Deutschland | Paket | 4,90 €, ab 100 € frei | 2–4 |
| Deutschland | Express | 12,90 € | 1 |
| Europäische Union | Paket | 12,90 € | 4–7 |
| Welt | Paket | 29,90 € | 7–21 |`,
      },
    },
  ],
  atelier: [
    {
      slug: 'imprint',
      titleI18n: { en: 'Imprint' },
      bodyI18n: {
        en: `**Atelier Nord ApS**\\
Refshalevej 40, 1432 Copenhagen, Denmark

Owner: Imke Holm

E-mail: hello@atelier.example`,
      },
    },
    {
      slug: 'terms',
      titleI18n: { en: 'Terms of sale' },
      bodyI18n: {
        en: `This text is an example and no legal advice.

Prices are in Danish kroner and include VAT. Each piece is made by hand, so colors differ a little from the pictures.

You can return a piece within **14 days**.`,
      },
    },
    {
      slug: 'shipping',
      titleI18n: { en: 'Shipping' },
      bodyI18n: {
        en: `We pack on Mondays and Thursdays.

- Denmark and the European Union: 49 kr, 3–5 days
- World: 199 kr, 7–21 days`,
      },
    },
  ],
}

/** Creates the information pages of a new demo store. */
export async function seedPages(store: { id: string; slug: string }): Promise<void> {
  for (const [sortOrder, { bodyI18n, ...page }] of (DEMO_PAGES[store.slug] ?? []).entries()) {
    const rendered = await renderBodies(store.id, bodyI18n)
    const draft = { ...page, ...rendered, position: 'footer', sortOrder } as const
    await inStore(store.id, (tx) => createContentPage(tx, { defaultLanguage: 'en' }, draft))
  }
}
