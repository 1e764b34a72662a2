import { inflateSync } from 'node:zlib'

/** Texts of a PDF written by pdfkit, in the order of drawing. */
export function pdfTexts(pdf: Uint8Array): string[] {
  const file = Buffer.from(pdf).toString('latin1')
  const contents = [...file.matchAll(/\/FlateDecode\s*>>\s*stream\n([\s\S]*?)\nendstream/g)].map(([, stream = '']) =>
    inflateSync(Buffer.from(stream, 'latin1')).toString('latin1'),
  )
  return [...contents.join('\n').matchAll(/\[((?:<[0-9a-f]*>|[\s\d.-])*)\] TJ/g)].map(([, parts = '']) =>
    [...parts.matchAll(/<([0-9a-f]*)>/g)].map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1')).join(''),
  )
}
