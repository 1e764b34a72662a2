import { expect, test } from 'vitest'
import { sceneIds } from '#engine/scenes.ts'
import { readPrompt, renderScene, scenesFor } from '#engine/tasks/background/index.ts'
import { settings } from '#engine/tasks/background/lexicon.ts'
import { luminance } from '#engine/tasks/background/scene.ts'

/** Prompts with every scene that fits; an empty list: told before the charge. */
const prompts = [
  ['kedai kopi', []],
  ['a modern office', ['lobby', 'bridge']],
  ['taman hijau di pagi hari', ['park', 'sunrise']],
  ['pantai Bali', ['beach']],
  ['sawah terasering', ['rice-field']],
  ['hutan pinus', ['forest']],
  ['masjid', []],
  ['latar putih polos', ['plain']],
  ['meja kayu', ['table']],
  ['langit biru dengan awan', ['sky']],
  ['city street', ['city']],
  ['pasar malam', []],
  ['matahari terbenam', ['sunset']],
  ['mountain lake', []],
  ['gudang industri', ['warehouse']],
  // Held out: written before the vocabulary, which was tuned on the ones above only.
  ['suasana kantor modern untuk LinkedIn', ['lobby', 'bridge']],
  ['white', ['plain']],
  ['tanpa bayangan, putih', ['plain']],
  ['di tepi laut sore hari', ['beach-sunset']],
  ['wooden table', ['table']],
  ['perpustakaan', []],
  ['a night sky with stars', ['night']],
  ['padang rumput saat matahari terbit', ['sunrise', 'park']],
  ['living room with sunlight', ['apartment']],
  ['bengkel', ['workshop']],
  ['swimming pool', []],
  ['lapangan rumput', ['park']],
  ['snowy village', []],
  ['ruang rapat', []],
  ['plain dark blue studio backdrop', ['studio']],
  // Misread in a later trial of 66 prompts.
  ['hotel bintang lima', ['esplanade']],
  ['langit berbintang', ['night']],
  ['latar merah untuk pas foto', ['plain']],
  ['rooftop malam', []],
  ['white marble table', []],
  // No scene shows these, by eye on all views of every scene.
  ['kafe', []],
  ['café with warm light', []],
  ['pegunungan', []],
  ['bandara', []],
  ['coworking space', []],
  ['kota tua', []],
  ['skyscrapers', []],
  ['teater', []],
  ['pelabuhan', []],
  ['lampu bokeh', ['esplanade']],
  ['meja kafe', ['table']],
  // Misread in a trial of 66 prompts of strangers.
  ['soft pink background, no shadow', ['plain']],
  ['latar pink, tidak pakai bayangan', ['plain']],
  ['latar polos', ['plain']],
  ['warna biru dongker polos untuk KTP', ['plain']],
  ['green screen', ['plain']],
  ['on a rustic wooden kitchen table', ['table']],
  ['meja jati mengkilap', ['table']],
  ['christmas tree and lights', []],
  ['rumah joglo', []],
  ['di depan rumah', []],
  ['ruangan kosong putih', ['apartment']],
  ['ruangan direktur', []],
  ['malioboro malam minggu', []],
  ['bayangan jendela di dinding putih', ['window-light']],
  ['palm trees', []],
  ['pohon kelapa', []],
  ['sunflower field', []],
  ['pepohonan rindang', ['forest']],
  ['hutan pinus berkabut', ['forest']],
  ['kabut pagi', ['sunrise']],
  // Misread in a trial of 128 prompts that were written before the vocabulary was read.
  ['ruang tamu minimalis dengan jendela besar', ['apartment']],
  ['sunny park with green trees', ['park']],
  ['misty forest at dawn', ['forest']],
  ['sunset over the ocean', ['beach-sunset']],
  ['lobi hotel bintang lima', ['esplanade']],
  ['kamar hotel', ['apartment']],
  ['empty warehouse with concrete floor', ['warehouse']],
  ['alam terbuka, rumput hijau luas', ['park']],
  ['studio foto abu abu gelap', ['studio']],
  ['kantor biru', ['bridge']],
  ['background merah bata polos', ['plain']],
  ['beach or park', ['beach', 'park']],
  ['kantor modern lantai 20', ['lobby', 'bridge']],
  ['putih bersih buat jualan di shopee', ['plain']],
  ['white background for a birthday party', ['plain']],
  ['latar putih buat pantai', ['plain']],
  ['latar belkang putih tnpa bayangan', ['plain']],
  ["don't make it red, just plain", ['plain']],
  ['horse farm', []],
  ['no background', []],
  ['tanpa latar belakang', []],
  ['putih polos tanpa background', ['plain']],
  ['gondola di kanal Venesia', []],
  // Misread in a later trial of 50.
  ['biru muda polos buat foto cv', ['plain']],
  ['green tropical leaves', []],
  ['old european street', []],
  ['ruang wisuda', ['hall']],
  ['kain batik coklat', ['batik']],
  ['dinding krem polos', ['plain']],
  ['lavender feild at sunset', []],
  ['plain light grey backdrop, no shadows', ['plain']],
  ['dikantor modern', ['lobby', 'bridge']],
  // The head of a compound is its first noun in Indonesian, its last one in English.
  ['modern office lobby', ['lobby']],
  ['lobi kantor modern', ['lobby']],
  ['lobby of a modern office', ['lobby']],
  ['hotel garden', ['park']],
  ['taman hotel', ['park']],
  ['garage workshop', ['workshop']],
  ['studio apartment', ['apartment']],
  ['living room wall', ['apartment']],
  ['tembok kamar warna pink', ['concrete']],
  // Misread in a trial of 40 prompts.
  ['taman belakang kantor', ['park']],
  ['office and a garden', ['lobby', 'bridge', 'park']],
  ['forest road', ['forest']],
  ['rumah di tengah hutan', ['forest']],
  ['linkedin photo, blurred city street', ['city']],
  ['foto linkedin latar biru polos', ['plain']],
  ['kemeja batik di depan dinding bata', ['brick']],
  ['latar putih polos, bersih, untuk jam tangan', ['plain']],
  ['foto produk tas, background putih', ['plain']],
  ['latar putih Eiffel', []],
  ['latar merah polos ukuran 4x6', ['plain']],
  ['ruang meeting kantor', []],
  // Misread in a second trial of 40.
  ['foto hijab dengan latar pastel hijau polos', ['plain']],
  ['job application photo, plain light blue', ['plain']],
  ['kopi susu di meja kafe', ['table']],
  ['kain beludru merah', ['curtain']],
  ['kids room', []],
  // Misread in a trial of 30 that were written before the vocabulary was read.
  ['jualan di marketplace polos tanpa bayangan', ['plain']],
  ['foto cv warna biru tua', ['plain']],
  ['foto produk shopee di meja kayu', ['table']],
  ['warna pastel yg lembut', ['studio', 'curtain', 'concrete', 'linen']],
  ['dark moody background', ['studio']],
  ['latar gelap elegan buat jam tangan', ['studio']],
  ['desert dunes under a starry sky', []],
  ['suasana ramadan', []],
  ['ruang tamu lebaran', ['apartment']],
  ['a wedding in the park', ['park']],
  ['art studio', []],
  ['hutan bambu', []],
  // Misread in a trial of 120 prompts in everyday spelling.
  ['jalanan malem lampu2 kota', []],
  ['kyk di mall2 gitu', ['esplanade']],
  ['putih polos aja gausah ada bayangan', ['plain']],
  ['bgnya kebiruan polos', ['plain']],
  ['remove background', []],
  ['bukan di luar ruangan, indoor aja', ['lobby', 'apartment']],
  ['gedung perkantoran', ['city']],
  ['perkantoran modern', ['lobby', 'bridge']],
  ['komplek perumahan', []],
  ['dinding semen ekspos industrial', ['concrete']],
  ['forest in autumn', []],
  ['tolong gantiin latar blkg hijau daun polos', ['plain']],
  ['latar biru laut', ['studio', 'curtain', 'concrete', 'linen']],
  ['neon pink background', ['studio', 'curtain', 'concrete', 'linen']],
  ['grassy hill under blue sky', []],
  ['langit sore jingga', ['sunset']],
  // Misread in a trial of 40 when beaches and the terrace came.
  ['beach house living room', ['apartment']],
  ['sea green plain background', ['plain']],
  ['white sand and turquoise water', ['beach']],
  ['pantai saat matahari terbit', ['beach-sunset']],
  ['outdoor cafe at night with string lights', ['cafe-terrace']],
  ['teras kafe', ['cafe-terrace']],
  ['di kafe sore hari', ['cafe-terrace']],
  ['pantaiii plss', ['beach']],
  ['matahari tenggelam di laut', ['beach-sunset']],
  ['padang pasir', ['dawn']],
  ['sawah hijau saat matahari terbit', ['rice-field']],
  ['rice paddies in the morning', ['rice-field']],
  ['sand dunes', []],
  ['deep sea', []],
] as const

test.each(prompts)('"%s" gives %j, or is told before the charge', (prompt, fitting) => {
  const reading = readPrompt(prompt)
  expect(reading.unfit).toBe(fitting.length === 0)
  expect(new Set(reading.nearest).size).toBe(3)
  if (fitting.length === 0) return
  for (const scene of scenesFor('auto', reading, 4)) expect(fitting).toContain(scene)
})

test.each([
  ['latar biru dongker polos', 'navy background'],
  ['latar hijau tosca', 'teal background'],
  ['navy blue background', 'latar biru navy'],
  ['soft pink background', 'latar pink muda'],
])('"%s" and "%s" name one and the same shade', (prompt, other) => {
  const colours = readPrompt(prompt).wishesFor('plain').colours
  expect(colours).toHaveLength(1)
  expect(colours).toEqual(readPrompt(other).wishesFor('plain').colours)
})

test('"pastel" is a colour only where no other one is named', () => {
  const countOf = (prompt: string) => readPrompt(prompt).wishesFor('plain').colours.length
  expect([countOf('latar pastel'), countOf('latar pastel hijau')]).toEqual([1, 1])
})

test.each(['latar ungu pastel', 'pale purple background'])('"%s" is lighter than its hue', (prompt) => {
  const colourOf = (text: string) => readPrompt(text).wishesFor('plain').colours[0]!
  expect(luminance(colourOf(prompt))).toBeGreaterThan(2 * luminance(colourOf('ungu')))
})

test('a misspelled place is offered first, and never shown unasked', () => {
  for (const [prompt, meant] of [
    ['di taaman', 'park'],
    ['old warehuose', 'warehouse'],
    ['old warehous', 'warehouse'],
    ['binatang', 'night'],
  ] as const)
    expect(readPrompt(prompt)).toMatchObject({ unfit: true, nearest: expect.arrayContaining([meant]) })
})

test.each([
  ['minimarket', 'esplanade'],
  ['pelaminan pernikahan', 'hall'],
  ['jalanan kota habis hujan malam', 'night'],
  ['inn', 'apartment'],
  ['lighthouse', 'venice'],
  ['rice terraces', 'rice-field'],
  ['hutan gelap malam', 'forest'],
  ['kafe, lampu2 gantung, malem', 'cafe-terrace'],
])('"%s" offers a similar place, here %s', (prompt, similar) => {
  expect(readPrompt(prompt)).toMatchObject({ unfit: true, nearest: expect.arrayContaining([similar]) })
})

test.each([
  ['teras warung', ['cafe-terrace', 'park', 'city']],
  ['kantin outdoor', settings.outdoors.locations],
  ['balkon apartemen', settings.outdoors.locations],
  ['warung pinggir jalan', settings.outdoors.locations],
  ['outdoor wedding', settings.outdoors.locations],
  ['indoor playground', settings.indoors.locations],
  ['restoran sore', ['cafe-terrace', 'esplanade', 'apartment']],
  ['kebun teh pagi', ['sunrise', 'park', 'rice-field']],
  ['danau saat matahari terbenam', ['sunset', 'sunrise', 'beach-sunset']],
  ['masjid saat senja', ['sunset', 'beach-sunset', 'venice']],
  ['rooftop bar at sunset', ['sunset', 'sunrise', 'beach-sunset']],
  ['gunung berkabut', ['sunrise', 'dawn', 'sky']],
  ['pasar malam', ['night', 'cafe-terrace', 'sunset']],
] as const)('"%s" offers only locations of its setting and time of day: %j', (prompt, fitting) => {
  const { unfit, nearest } = readPrompt(prompt)
  expect(unfit).toBe(true)
  expect(fitting).toEqual(expect.arrayContaining(nearest))
})

test('the plural of a phrase is the same place', () => {
  expect(readPrompt('under cherry blossoms').nearest).toEqual(readPrompt('cherry blossom').nearest)
})

test.each([
  ['kantor hijau', 'hijau'],
  ['hutan saat matahari terbenam', 'matahari terbenam'],
  ['empty street in venice', 'venice'],
  ['langit senja warna ungu', 'ungu'],
  ['meja kayu di taman', 'taman'],
  ['sofa di ruang tamu', 'sofa'],
  ['wooden desk with a plant', 'plant'],
  ['taman indoor', 'indoor'],
  ['sawah terasering', 'terasering'],
  ['rumah pinggir pantai', 'rumah'],
  ['pantai bali, mataharinya mau tenggelam', 'bali'],
])('"%s" reports what its place does not show', (prompt, missing) => {
  expect(readPrompt(prompt)).toMatchObject({ unfit: false, unknown: [missing] })
})

test.each(['dinding bata merah', 'red brick wall', 'old red bricks'])('"%s" has the colour of clay', (prompt) => {
  expect(readPrompt(prompt).wishesFor('brick').colours).toEqual(readPrompt('terracotta').wishesFor('plain').colours)
})

test('a gradient in the colours of a sunset is no grey studio', () => {
  const { scenes, unknown, wishesFor } = readPrompt('gradient sunset pink orange')
  expect(scenes[0]).toBe('studio')
  expect(wishesFor('studio').colours).toHaveLength(2)
  expect(unknown).toEqual([])
})

test('a refused darkness is none, and "light" after its adjective is no bright one', () => {
  expect(readPrompt('warehouse, moody light').wishesFor('warehouse').brightness).toBe(0)
  expect(readPrompt('light airy lobby').wishesFor('lobby').brightness).toBe(1)
  expect(readPrompt('lobi hotel jgn terlalu gelap').wishesFor('esplanade').brightness).toBe(0)
})

test('an unknown word between a colour and its noun leaves the colour to the noun', () => {
  expect(readPrompt('light grey velvety studio backdrop').wishesFor('studio').colours).toHaveLength(1)
})

test('a studio of two colours shows the second one around the first', () => {
  const wishes = readPrompt('gradasi oranye ke ungu').wishesFor('studio')
  const { data, width, height } = renderScene({ id: 'studio', width: 40, height: 48, seed: 1, wishes, side: 0 })
  const pixel = (x: number, y: number) => [...data.subarray(4 * (y * width + x), 4 * (y * width + x) + 3)]
  const [[, , blueInside], [, , blueAround]] = [pixel(20, 19), pixel(1, height - 2)] as [number[], number[]]
  expect(blueInside).toBeLessThan(100)
  expect(blueAround).toBeGreaterThan(110)
})

test.each(sceneIds)('a prompt cannot make a chosen picture of %s unfit', (id) => {
  expect(scenesFor(id, readPrompt('masjid'), 4)).toEqual([id, id, id, id])
})

test('a modern office is the lobby first: the bridge hardly looks like one', () => {
  expect(readPrompt('a modern office with big windows').scenes).toEqual(['lobby', 'bridge'])
})

test('a prompt for the sky shows more of it than of the ground', () => {
  const [width, height] = [64, 32]
  const probe = { width, height, data: new Float32Array(3 * width * height).fill(1) }
  probe.data.fill(0.02, probe.data.length / 2)
  const skyOf = (prompt: string) => {
    const wishes = readPrompt(prompt).wishesFor('sunset')
    const { data } = renderScene({ id: 'sunset', width: 40, height: 50, seed: 1, wishes, side: 0 }, { probe })
    return data.filter((level, i) => i % 4 === 0 && level > 128).length / (40 * 50)
  }
  expect(skyOf('langit senja')).toBeGreaterThan(skyOf('matahari terbenam') + 0.15)
})
