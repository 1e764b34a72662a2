export const locationTexts = {
  name: { id: 'Pantai Sanur', en: 'Sanur beach' },
  words: { id: 'pantai, pasir putih', en: 'beach' },
  licence: 'CC0',
  source: 'https://example.org/pantai',
}

/** The body of `POST /api/admin/locations`. */
export function locationForm(texts: object = {}, file: Uint8Array = new TextEncoder().encode('a picture')): FormData {
  const form = new FormData()
  form.set('location', JSON.stringify({ ...locationTexts, ...texts }))
  form.set('file', new Blob([new Uint8Array(file)]), 'pantai')
  return form
}
