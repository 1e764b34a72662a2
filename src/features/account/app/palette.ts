import { msg } from '@lingui/core/macro'

/** `swatch` is the light fill of theme.css. */
export const primaries = [
  { id: 'terakota', name: msg`Terakota`, swatch: '#bb4e2a' },
  { id: 'cabai', name: msg`Cabai`, swatch: '#d43031' },
  { id: 'jambu', name: msg`Jambu`, swatch: '#d02e68' },
  { id: 'anggrek', name: msg`Anggrek`, swatch: '#b53eaf' },
  { id: 'manggis', name: msg`Manggis`, swatch: '#8d52d1' },
  { id: 'nila', name: msg`Nila`, swatch: '#5363e1' },
  { id: 'langit', name: msg`Langit`, swatch: '#0273c5' },
  { id: 'laut', name: msg`Laut`, swatch: '#017a9b' },
  { id: 'toska', name: msg`Toska`, swatch: '#047e7a' },
  { id: 'zamrud', name: msg`Zamrud`, swatch: '#038059' },
  { id: 'pandan', name: msg`Pandan`, swatch: '#2e8126' },
  { id: 'kunyit', name: msg`Kunyit`, swatch: '#ffb935' },
  { id: 'jeruk', name: msg`Jeruk`, swatch: '#fe8c2c' },
  { id: 'kopi', name: msg`Kopi`, swatch: '#744931' },
  { id: 'arang', name: msg`Arang`, swatch: '#39342f' },
] as const

export const neutrals = [
  { id: 'pasir', name: msg`Pasir`, swatch: '#e3d6c4' },
  { id: 'batu', name: msg`Batu`, swatch: '#d4d4d4' },
  { id: 'kabut', name: msg`Kabut`, swatch: '#c8d5e4' },
  { id: 'lumut', name: msg`Lumut`, swatch: '#cbd9c6' },
  { id: 'mawar', name: msg`Mawar`, swatch: '#ecd0d0' },
] as const
