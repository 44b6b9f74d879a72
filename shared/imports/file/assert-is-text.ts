import { type FileKind, ImportFileErrors } from './errors.ts'

const startsWith = (bytes: Buffer, magic: number[]): boolean => magic.every((byte, i) => bytes[i] === byte)

/** Returns the kind of a file that is not CSV, by its first bytes; null for text. */
function kindOf(bytes: Buffer): FileKind | null {
  if (startsWith(bytes, [0x1f, 0x8b])) return 'compressed with gzip'
  if (startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])) return 'an Excel workbook'
  if (startsWith(bytes, [0x50, 0x4b])) return kindOfArchive(bytes.toString('latin1'))
  const text = bytes.subarray(0, 200).toString('latin1').trimStart().toLowerCase()
  if (text.startsWith('%pdf-')) return 'a PDF document'
  if (text.startsWith('<!doctype') || text.startsWith('<html')) return 'a web page'
  return /^[[{]\s*["{[]/.test(text) ? 'a JSON file' : null
}

// Office documents are ZIP archives. Their first entries have fixed names.
function kindOfArchive(names: string): FileKind {
  if (names.includes('opendocument.spreadsheet')) return 'an OpenDocument spreadsheet'
  return /\[Content_Types\]\.xml|xl\/|_rels\//.test(names) ? 'an Excel workbook' : 'a ZIP archive'
}

/** Throws `import.not_csv` for a file of another kind. */
export function assertIsText(firstBytes: Buffer): void {
  const kind = kindOf(firstBytes)
  if (kind) throw ImportFileErrors.notCsv({ kind })
}
