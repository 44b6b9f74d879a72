interface StockStatusNames {
  inStock: string
  outOfStock: string
  onBackorder: string
}

const ENGLISH: StockStatusNames = {
  inStock: 'In stock',
  outOfStock: 'Out of stock',
  onBackorder: 'Available on backorder',
}

const NAMES: Record<string, StockStatusNames> = {
  en: ENGLISH,
  de: { inStock: 'Auf Lager', outOfStock: 'Nicht auf Lager', onBackorder: 'Auf Nachbestellung lieferbar' },
  es: { inStock: 'En stock', outOfStock: 'Agotado', onBackorder: 'Disponible bajo pedido' },
  fr: { inStock: 'En stock', outOfStock: 'Épuisé', onBackorder: 'Disponible sur commande' },
  it: { inStock: 'Disponibile', outOfStock: 'Esaurito', onBackorder: 'Disponibile su ordinazione' },
  nl: { inStock: 'Op voorraad', outOfStock: 'Niet op voorraad', onBackorder: 'Leverbaar op nabestelling' },
  pl: { inStock: 'Dostępny', outOfStock: 'Niedostępny', onBackorder: 'Dostępny na zamówienie' },
}

/** Returns the default names of stock statuses in a language (BCP 47), else in English. */
export const stockStatusNames = (language: string): StockStatusNames =>
  NAMES[language.toLowerCase().split('-')[0] ?? ''] ?? ENGLISH
