import type { SceneId } from '../../scenes.ts'
import type { Wishes } from './scene.ts'

/**
 * Indonesian and English vocabulary: phrases before their single words; inflected forms match too.
 */
export const sceneWords: { [Id in SceneId]: string } = {
  studio: 'studio, backdrop, katalog, catalog, catalogue, gradasi, gradient, kertas, paper, spotlight',
  'window-light':
    'jendela, window, cahaya jendela, window light, kerai, tirai bambu, blinds, bayangan daun, leaf shadow, cahaya pagi, morning light, sinar matahari, sunlight',
  'night-bokeh': 'bokeh, lampu, lights, lampu kota, kota malam, city lights, lampu malam, kerlip',
  leaves:
    'daun, dedaunan, leaf, leaves, foliage, hutan, forest, jungle, rimba, semak, tanaman, plant, plants, hijau alami, pohon, pepohonan, tree, trees, alam, nature',
  wood: 'kayu, wood, wooden, papan, plank, planks, jati, teak, pinus, pine, papan kayu, meja kayu, dinding kayu, wooden table',
  linen: 'linen, kain, fabric, cloth, katun, cotton, kanvas, canvas, tekstil, textile',
  concrete: 'beton, concrete, semen, cement, plester, plaster, dinding, tembok, wall, loft',
  brick: 'bata, brick, bricks, batu bata, brick wall, tembok bata, dinding bata',
  garden:
    'taman, garden, park, kebun, rumput, grass, lawn, padang rumput, meadow, bunga, flower, flowers, halaman, piknik, picnic',
  office:
    'kantor, office, ruang kerja, workspace, bisnis, business, profesional, professional, korporat, corporate, ruang rapat, meeting room, linkedin, cv',
  cafe: 'kafe, cafe, café, kopi, coffee, kedai, warung, restoran, restaurant, bar, coffee shop, kedai kopi, warung kopi',
  curtain:
    'tirai, gorden, curtain, curtains, drape, beludru, velvet, panggung, stage, teater, theatre, theater, sutra, silk, satin',
  batik: 'batik, kawung, parang, motif batik',
}

/** Objects shown beside a scene's main subject: optional with `detail`, fixed in `always`. */
export const sceneObjectWords: readonly {
  words: string
  detail?: Wishes['without'][number]
  always?: readonly SceneId[]
}[] = [
  { words: 'bunga, flower, flowers', detail: 'flowers' },
  { words: 'tanaman, plant, plants', detail: 'plants', always: ['leaves', 'garden'] },
  { words: 'pohon, pepohonan, tree, trees, daun, dedaunan, leaf, leaves', always: ['leaves', 'garden'] },
  { words: 'lampu, lights, lamp, lamps, bokeh', always: ['night-bokeh', 'cafe', 'office'] },
  { words: 'jendela, window, windows', always: ['window-light', 'office', 'cafe'] },
  { words: 'rumput, grass', always: ['garden'] },
]

/** sRGB colours in daylight: Indonesian words, which follow their noun, and English words. */
export const colourWords: Readonly<Record<string, readonly [indonesian: string, english: string]>> = {
  '#b3262b': ['merah', 'red, crimson'],
  '#7a1f2e': ['marun, merah marun, merah tua', 'maroon, burgundy, dark red'],
  '#e58fa5': ['merah muda, merah jambu', 'pink, dusty pink'],
  '#f2c9cf': ['pink muda', 'baby pink, blush, light pink'],
  '#e3732f': ['oranye, jingga', 'orange'],
  '#f0b49a': ['persik, salem', 'peach'],
  '#e6b422': ['kuning', 'yellow'],
  '#c79a3a': ['emas, keemasan', 'gold, golden, mustard'],
  '#4f8f4a': ['hijau', 'green'],
  '#1f5a43': ['zamrud, hijau tua, hijau botol', 'emerald, dark green'],
  '#9caf88': ['hijau muda, zaitun', 'sage, olive, light green'],
  '#a9d8c3': ['tosca muda', 'mint'],
  '#2a9d96': ['tosca, toska, pirus', 'teal, turquoise'],
  '#2f63b0': ['biru', 'blue'],
  '#1c2f57': ['biru tua, dongker', 'navy, dark blue, indigo'],
  '#9cc3e6': ['biru muda, biru langit', 'light blue, baby blue, sky blue'],
  '#7451a8': ['ungu', 'purple, violet'],
  '#c0afe0': ['ungu muda, lila', 'lavender, lilac'],
  '#7a4f33': ['coklat, cokelat', 'brown, mocha'],
  '#c9ab84': ['krem, coksu', 'beige, cream, khaki, nude'],
  '#e9e7e3': ['putih', 'white, ivory, broken white'],
  '#8b8e92': ['abu, abu-abu, kelabu, perak', 'grey, gray, silver'],
  '#26272b': ['hitam, arang', 'black, charcoal'],
}

type Mood = Partial<Pick<Wishes, 'warmth' | 'brightness' | 'drama' | 'blur'>>

/** Moods, times of day and weather, with their effect from −1 to 1, see `Wishes`. */
export const moodWords: readonly (readonly [Mood, string])[] = [
  [{ warmth: 0.7 }, 'hangat, warm, cozy, nyaman, lebaran, ramadan'],
  [{ warmth: -0.7 }, 'dingin, cold, cool, sejuk'],
  [{ brightness: 0.6 }, 'terang, bright, cerah, light, sunny, airy, ceria, cheerful, fresh, segar'],
  [{ brightness: -0.6 }, 'gelap, dark, redup, dim, temaram, low key, misterius, mysterious'],
  [
    { drama: 0.8 },
    'dramatis, dramatic, kontras, contrast, sinematik, cinematic, moody, epik, epic, elegan, elegant, mewah, luxury',
  ],
  [{ drama: -0.7 }, 'lembut, soft, halus, pastel, tenang, calm, romantis, romantic, dreamy'],
  [{ blur: 0.8 }, 'buram, blur, blurred, blurry, kabur, defocus'],
  [{ blur: -0.8 }, 'tajam, sharp, jelas, crisp'],
  [{ warmth: 0.35, drama: -0.2 }, 'pagi, morning'],
  [{ warmth: 0.6, brightness: -0.15 }, 'sore, evening, afternoon, petang, golden hour'],
  [{ brightness: -0.5, warmth: -0.1 }, 'malam, night'],
  [{ brightness: 0.15 }, 'siang, day, daylight, noon'],
]

/** Words that negate what follows, and words that extend the negation to the next noun. */
export const negations = 'tanpa, bukan, jangan, tidak, no, not, without'
export const conjunctions = 'dan, atau, maupun, serta, and, or, nor'

/** Words for the background as a whole: colours next to them apply to all of it. */
export const backgroundWords =
  'latar, latar belakang, background, suasana, scene, warna, tema, theme, nuansa, tone, colour, color'

export const fillerWords =
  'di, ke, dari, dengan, yang, pada, untuk, saat, waktu, ketika, ini, itu, ada, sebuah, seperti, penuh, hari, bagian, depan, belakang, atas, berwarna, gaya, ala, sangat, agak, sedikit, banyak, foto, gambar, produk, potret, polos, bersih, saja, hanya, minimalis, modern, klasik, indah, cantik, bagus, keren, estetik, alami, a, an, the, in, on, at, of, with, to, for, by, from, very, some, during, behind, front, style, photo, picture, image, product, portrait, plain, clean, just, only, simple, minimalist, classic, beautiful, nice, aesthetic, natural, realistic, professional photo, high quality, hd, 4k, industrial, industri, rustic, rustik, boho, outdoor, indoor, luar ruangan, dalam ruangan, interior, toko, shop'
