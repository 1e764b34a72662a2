import type {
  PassportBackground,
  PassportPhotoParams,
  PassportPreset,
  PassportRule,
  PrintedPhotos,
  Range,
} from './definition.ts'

/** Usual studio framing where no rule says more: half of the photo for the head. */
export const usualFraming = { head: { min: 0.46, max: 0.58 }, eyes: { min: 0.54, max: 0.7 } } satisfies Pick<
  PassportRule,
  'head' | 'eyes'
>
const centimetres = (width: number, height: number, kilobytes?: Partial<Range>): PassportRule => ({
  width: 10 * width,
  height: 10 * height,
  unit: 'mm',
  dpi: 300,
  ...usualFraming,
  ...(kilobytes && { kilobytes }),
})

/** In whole centimetres. */
const exactly = (width: number, height: number): PassportPreset => ({
  id: `${width}x${height}`,
  name: { id: `${width}×${height} cm`, en: `${width}×${height} cm` },
  note: {
    id: `Tepat ${10 * width} × ${10 * height} mm, 300 dpi.`,
    en: `Exactly ${10 * width} × ${10 * height} mm, 300 dpi.`,
  },
  rule: centimetres(width, height),
  background: 'birth-year',
  source: { name: '', date: '2026' },
})

/** A nominal size as photo studios cut it, in centimetres. */
const studioCut = (nominal: string, width: number, height: number): PassportPreset => {
  const size = `${10 * width} × ${10 * height} mm`
  return {
    id: `${nominal}-studio`,
    name: { id: `${nominal.replace('x', '×')} versi studio foto`, en: `${nominal.replace('x', '×')} studio cut` },
    note: { id: `${size.replaceAll('.', ',')}, seperti cetakan studio foto.`, en: `${size}, as photo studios cut it.` },
    rule: centimetres(width, height),
    background: 'birth-year',
    source: { name: 'Ukuran lazim studio foto Indonesia', en: 'How photo studios in Indonesia cut', date: '2024' },
  }
}

/** In display order, each with the date when it was read, since offices change their rules. */
export const passportPresets: readonly PassportPreset[] = [
  exactly(2, 3),
  exactly(3, 4),
  exactly(4, 6),
  studioCut('2x3', 2.15, 2.79),
  studioCut('3x4', 2.79, 3.81),
  studioCut('4x6', 3.81, 5.59),
  {
    id: '35x45',
    name: { id: 'Visa Schengen, dll. 3,5×4,5 cm', en: 'Schengen visa etc. 3.5×4.5 cm' },
    note: {
      id: '35 × 45 mm, kepala 32 sampai 36 mm, latar putih: paspor dan visa banyak negara.',
      en: '35 × 45 mm, head 32 to 36 mm, white background: passports and visas of many countries.',
    },
    rule: { ...centimetres(3.5, 4.5), head: { min: 32 / 45, max: 36 / 45 }, eyes: { min: 0.5, max: 0.7 } },
    background: 'white',
    source: { name: 'ICAO Doc 9303', date: '2021' },
  },
  {
    id: '51x51',
    name: { id: 'Visa AS 51×51 mm', en: 'US visa 51×51 mm' },
    note: {
      id: '2 × 2 inci, kepala 25 sampai 35 mm, mata 28 sampai 35 mm dari bawah, latar putih, tanpa kacamata: visa Amerika Serikat.',
      en: '2 × 2 inches, head 25 to 35 mm, eyes 28 to 35 mm from below, white background, no glasses: visa of the United States.',
    },
    rule: {
      width: 51,
      height: 51,
      unit: 'mm',
      dpi: 300,
      head: { min: 25 / 51, max: 35 / 51 },
      eyes: { min: 28 / 51, max: 35 / 51 },
    },
    background: 'white',
    forbidsGlasses: true,
    source: { name: 'travel.state.gov', date: '2024' },
  },
  {
    id: 'china-visa',
    name: { id: 'Visa Tiongkok', en: 'China visa' },
    note: {
      id: '33 × 48 mm, kepala 28 sampai 33 mm, latar putih; berkas 40 sampai 120 KB.',
      en: '33 × 48 mm, head 28 to 33 mm, white background; file of 40 to 120 KB.',
    },
    rule: {
      width: 33,
      height: 48,
      unit: 'mm',
      dpi: 300,
      head: { min: 28 / 48, max: 33 / 48 },
      eyes: { min: 0.5, max: 0.66 },
      kilobytes: { min: 40, max: 120 },
    },
    background: 'white',
    source: {
      name: 'Kementerian Luar Negeri Tiongkok',
      en: 'Ministry of Foreign Affairs of China',
      date: '2016-12-15',
    },
  },
  {
    id: 'sscasn',
    name: { id: 'SSCASN (CPNS, PPPK)', en: 'SSCASN (civil service)' },
    note: {
      id: '4 × 6 cm, latar merah, JPG paling besar 200 KB.',
      en: '4 × 6 cm, red background, JPG of at most 200 KB.',
    },
    rule: centimetres(4, 6, { max: 200 }),
    background: 'red',
    source: { name: 'sscasn.bkn.go.id', date: '2024' },
  },
  {
    id: 'snpmb',
    name: { id: 'SNPMB (SNBP, UTBK)', en: 'SNPMB (university entrance)' },
    note: {
      id: '4 × 6 cm, latar polos, JPG 80 sampai 300 KB.',
      en: '4 × 6 cm, plain background, JPG of 80 to 300 KB.',
    },
    rule: centimetres(4, 6, { min: 80, max: 300 }),
    background: 'blue',
    source: { name: 'snpmb.bppp.kemdikbud.go.id', date: '2024' },
  },
  {
    id: 'hajj',
    name: { id: 'Haji dan umrah', en: 'Hajj and umrah' },
    note: {
      id: '4 × 6 cm, latar putih, wajah 80% dari foto.',
      en: '4 × 6 cm, white background, the face fills 80% of the photo.',
    },
    rule: { ...centimetres(4, 6), head: { min: 0.77, max: 0.83 }, eyes: { min: 0.4, max: 0.6 } },
    background: 'white',
    source: { name: 'haji.kemenag.go.id', date: '2024' },
  },
  {
    id: 'ktp',
    name: { id: 'KTP', en: 'Identity card (KTP)' },
    note: {
      id: '2 × 3 cm; merah untuk tahun lahir ganjil, biru untuk genap, oranye untuk warga asing.',
      en: '2 × 3 cm; red for odd years of birth, blue for even ones, orange for foreigners.',
    },
    rule: centimetres(2, 3),
    background: 'birth-year',
    source: { name: 'dukcapil.kemendagri.go.id', date: '2024' },
  },
]

export function findPreset(id: string, presets = passportPresets): PassportPreset | undefined {
  return presets.find((preset) => preset.id === id)
}

/** Undefined when the preset is unknown and the generation brings no rule. */
export function ruleOf(
  { preset, rule }: Pick<PassportPhotoParams, 'preset' | 'rule'>,
  presets = passportPresets,
): PassportRule | undefined {
  return rule ?? findPreset(preset, presets)?.rule
}

/** For a preset by year of birth, a chosen colour stays if it is one of the two. */
export function officialColourOf({ background }: PassportPreset, now: PassportBackground): PassportBackground {
  if (background !== 'birth-year') return { type: background }
  return ['birth-year', 'red', 'blue'].includes(now.type) ? now : { type: 'red' }
}

export function isPrintable({ preset, rule }: PrintedPhotos): boolean {
  return preset === 'this' || rule !== undefined || findPreset(preset) !== undefined
}
