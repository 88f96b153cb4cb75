/** French times that are other words in German or Dutch: `hier` is "here", and `de mars` is "the march". */
const HOMOGRAPHS = new Set(['hier', 'mars'])

/** Function words of German and Dutch. */
const GERMAN_OR_DUTCH = new Set(
  `aan aber auf bei bij bist das dass dat dein deine dem den der deze een ein eine einem einen einer etwas gedaan geen
  gemacht geweest gewesen gibt ging haar habe haben habt hadden hast hat hatte hatten heb hebben hebt heeft hem het hij hoe
  hoeveel ich iets ihm ihn ihr ihre ik im is ist jij jullie kan kann kein keine komt können kunnen kwam maar man mein meine
  mich mijn mir moet moeten muss naar nach nicht nichts niet niets noch nog oder ons ook sich sie sind soll staat steht toen
  uit und unser unsere unserer veel viele vom von voor waar waarom wann wanneer war waren warum was wat welche welchen
  welcher welches welk welke wer werd werden wie wij wir wird wo wordt worden wurde wurden zich zijn zou zu zum zur über`.split(
    /\s+/,
  ),
)

/** Function words of French that German and Dutch do not have. A French question can hold a name such as "von der Leyen". */
const FRENCH = new Set(
  `ai avait avec avez avons cette comment dans est et etait nous ont pas pour pourquoi qu quand que quel quelle qui quoi
  sont sur une vous`.split(/\s+/),
)

/** Whether a phrase of a folded question is a word of another language there. */
export function homographsOf(text: string): (phrase: string) => boolean {
  let isGermanOrDutch: boolean | null = null
  const read = (): boolean => {
    const words = text.match(/\p{L}+/gu) ?? []
    return words.some((word) => GERMAN_OR_DUTCH.has(word)) && !words.some((word) => FRENCH.has(word))
  }
  return (phrase) => HOMOGRAPHS.has(phrase) && (isGermanOrDutch ??= read())
}
