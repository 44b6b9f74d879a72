/*
 * WooCommerce writes the header of its export in the language of the shop. These are the names in its present and
 * former language packs, by English name.
 */
const TRANSLATIONS: Record<string, string[]> = {
  Type: ['Typ', 'Tipo'],
  SKU: ['Artikelnummer', 'UGS', 'COD'],
  'GTIN, UPC, EAN, or ISBN': [
    'GTIN, UPC, EAN oder ISBN',
    'GTIN, UPC, EAN ou ISBN',
    'GTIN, UPC, EAN o ISBN',
    'GTIN, UPC, EAN of ISBN',
  ],
  Name: ['Nom', 'Nombre', 'Nome', 'Naam'],
  Published: ['Veröffentlicht', 'Publié', 'Publicado', 'Pubblicato', 'Gepubliceerd'],
  'Short description': [
    'Kurzbeschreibung',
    'Description courte',
    'Descripción corta',
    'Breve descrizione',
    'Korte omschrijving',
    'Korte beschrijving',
  ],
  Description: ['Beschreibung', 'Descripción', 'Descrizione', 'Beschrijving'],
  'Date sale price starts': [
    'Datum, an dem Angebotspreis beginnt',
    'Date de début de promo',
    'Día en que empieza el precio rebajado',
    'Data di partenza del prezzo in saldo',
    'Startdatum actieprijs',
  ],
  'Date sale price ends': [
    'Datum, an dem Angebotspreis endet',
    'Date de fin de promo',
    'Día en que termina el precio rebajado',
    "Data in cui termina l'offerta",
    'Termine data del prezzo di vendita',
    'Einddatum actieprijs',
  ],
  'In stock?': ['Vorrätig?', 'En stock ?', '¿En inventario?', '¿Existencias?', 'Op voorraad?'],
  Stock: ['Lager', 'Bestand', 'Inventario', 'Magazzino', 'Voorraad'],
  'Backorders allowed?': [
    'Lieferrückstande erlaubt?',
    'Rückstände erlaubt?',
    'Autoriser les commandes de produits en rupture ?',
    '¿Permitir reservas de productos agotados?',
    'Abilita gli ordini arretrati?',
    'Nabestellingen toestaan?',
  ],
  'Sale price': ['Angebotspreis', 'Tarif promo', 'Precio rebajado', 'Prezzo in offerta', 'Actieprijs'],
  'Regular price': [
    'Regulärer Preis',
    'Tarif régulier',
    'Precio normal',
    'Prezzo di listino',
    'Reguliere prijs',
  ],
  Categories: ['Kategorien', 'Catégories', 'Categorías', 'Categorie', 'Categorieën'],
  Tags: ['Schlagwörter', 'Étiquettes', 'Etiquetas', 'Tag', 'Etichette'],
  Images: ['Bilder', 'Imágenes', 'Immagine', 'Afbeeldingen'],
  Parent: ['Übergeordnetes Produkt', 'Superior', 'Genitore', 'Hoofd'],
  Brands: ['Marken', 'Marques', 'Marcas', 'Merken'],
}

const IS_VARIED = /\s\s|[^\S ]|’/

/** Normalizes spaces and apostrophes, which differ between versions of a language pack. */
function plain(cell: string): string {
  const name = cell.trim().toLowerCase()
  return IS_VARIED.test(name) ? name.replace(/\s+/g, ' ').replaceAll('’', "'") : name
}

const ENGLISH = new Map(
  Object.entries(TRANSLATIONS).flatMap(([english, names]) => names.map((name) => [plain(name), english])),
)

const WEIGHT = /^(?:gewicht|poids|peso) \((\w+)\)$/
/** The names of attributes and of their values, with `#` for their number. */
const ATTRIBUTES: Record<string, string[]> = {
  name: [
    'attribut # name',
    "nom de l'attribut #",
    'nombre del atributo #',
    'attributo # nome',
    'naam eigenschap #',
  ],
  'value(s)': [
    'attribut # wert(e)',
    "valeur(s) de l'attribut #",
    'valor(es) del atributo #',
    'attributo # valuta(e)',
    'waarde eigenschap #',
  ],
}
const ATTRIBUTE_PARTS = new Map(
  Object.entries(ATTRIBUTES).flatMap(([part, names]) => names.map((name) => [name, part])),
)

/** Returns the English name of a column in WooCommerce's export. An unknown name stays. */
export function toEnglish(cell: string): string {
  const name = plain(cell)
  const [, unit] = WEIGHT.exec(name) ?? []
  if (unit !== undefined) return `Weight (${unit})`
  const [number] = /\d+/.exec(name) ?? []
  const part = number === undefined ? undefined : ATTRIBUTE_PARTS.get(name.replace(number, '#'))
  return part === undefined ? (ENGLISH.get(name) ?? cell) : `Attribute ${number} ${part}`
}
