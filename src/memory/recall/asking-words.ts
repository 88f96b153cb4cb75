/**
 * How sentences begin that ask or request something, by language: patterns of folded case, without a question mark. Where
 * a word also begins clauses that tell (`when I was ten`), the pattern says what must follow.
 */
const BEGINNINGS: Record<string, string[]> = {
  en: [
    String.raw`(?:what|who|where|when|why|how|which|whose|whom)(?:'s|'re|'d|'ll)?(?! (?:i|i'm|i've|we|you|he|she|it|they|this|that|these|those|the|a|an|my|our|your|his|her|their)\b)`,
    `(?:what|how) about`,
    `(?:is|are|am|was|were|do|does|did|can|could|will|would|should|shall|may|have|has|had|isn't|aren't|don't you|didn't|can't|couldn't|won't|wouldn't) (?:i|we|you|he|she|it|they|there|this|that|these|those|the|any|anyone|someone|my|our|your)`,
    `(?:tell|show|give|send|help|teach|find|get|read|walk) (?:me|us)(?! (?:to|and)\\b)`,
    `remind me (?:what|who|where|when|why|how|which|of|about|again)`,
    `explain|describe|list|summari[sz]e|translate|rewrite|refactor|rephrase|calculate|compute|convert|compare|suggest|recommend|generate|proofread|brainstorm|continue|elaborate|draft|analy[sz]e|debug|review`,
    `(?:write|fix|create|make|find|check|show|search|look up|look for|name|define|sort|format|optimi[sz]e|implement|add|remove|run|build|plan|outline|improve|shorten|simplify|correct|edit|pick|choose|open|print|update|order|book|reserve) (?:me|a|an|the|this|that|these|those|it|them|all|my|some|any|up|for|one|two|three|four|five|ten|out|into|another|more|unit|tests?|your|python|sql|code|again)`,
    `any (?:idea|ideas|tips|suggestions|advice|recommendations|chance|news)`,
    `i (?:wonder|was wondering|need help|need to know|want to know|would like to know|forgot (?:what|where|when|who|how)|don't remember (?:what|where|when|who|how))`,
    `i'd (?:like|love) to know`,
    `(?:do|did|does) (?:i|you|we|they)`,
    `go on|keep going|try again|once more|say more`,
  ],
  de: [
    String.raw`(?:was|wer|wo|wann|wieso|warum|weshalb|wie|wem|wen|wessen|woher|wohin|womit|wofür|worüber|woran|wodurch|welche[rsmn]?)(?! (?:ich|du|er|wir|ihr|man|mich|mir|der|das|die|immer|gesagt|gestern|besprochen|versprochen|vereinbart)\b)`,
    String.raw`(?:was|wo|wann|wie) (?:der|das|die) .*\b(?:heißt|ist|kostet|macht)$`,
    String.raw`(?:kannst|könntest|kann|könnte|können|könnten|darf|dürfen|soll|sollte|sollen|sollten|muss|müssen|will|willst|würdest|würden|weißt|wissen|hast|habe|haben|hat|ist|sind|bin|bist|war|waren|gibt|gab|wird|werden|magst|erinnerst|kennst) (?:du|ich|wir|sie|er|es|man|ihr|das|die|der|mein|meine|dein|deine|jemand)`,
    String.raw`(?:sag|sage|zeig|zeige|erzähl|erzähle|gib|erklär|erkläre|nenn|nenne|hilf|such|suche|schick|schreib|schreibe|mach|mache|empfiehl|lies|bestell|bestelle|buch|buche|reserviere) (?:mir|uns|bitte|mal|doch|nochmal|das|die|den|ein|eine|einen|alle|es)`,
    `erinner(?:e)? mich,? (?:bitte |mal |nochmal )*(?:daran,? )?(?:was|wer|wo|wann|wie|welche[rsmn]?)`,
    `(?:übersetze|übersetz|korrigiere|korrigier|vergleiche|vergleich|berechne|fasse|fass|liste|erkläre|erklär|beschreibe|beschreib|formuliere|erstelle|behebe|repariere|prüfe|überprüfe|analysiere|optimiere|schlage|schlag|sortiere|ergänze|kürze|plane|programmiere|teste|nenne|finde|suche|zeige|schreibe|schreib|empfiehl)\\b`,
    `ich (?:wüsste gern|wüsste gerne|würde gern wissen|würde gerne wissen|möchte wissen|frage mich)`,
    `(?:weiter|mach weiter|nochmal|noch einmal)$`,
  ],
  fr: [
    String.raw`(?:qu'est-ce|est-ce|qu'est|que|quoi|quel|quelle|quels|quelles|qui|où|comment|pourquoi|combien|lequel|laquelle)(?! (?:je|j'|nous|le|la|les|mon|ma)\b)`,
    `quand (?:est|sont|a|ont|dois|doit|peut|peux|vas|va|as|aura|était|commence|part|arrive|ouvre|ferme|partons|puis)`,
    `comment (?:je|on|nous)|où (?:je peux|est|sont|se)`,
    `[a-zé]+-(?:tu|vous|il|elle|on|je|nous|ils|elles|t-il|t-elle|t-on)`,
    `(?:dis|dites|donne|donnez|montre|montrez|explique|expliquez|rappelle|rappelez|aide|aidez|raconte|trouve|envoie|propose|suggère|recommande|fais|écris|lis)-(?:moi|nous|le|la)(?! (?:de|d'))`,
    `(?:explique|expliquez|décris|décrivez|liste|listez|traduis|traduisez|résume|résumez|compare|comparez|corrige|corrigez|écris|écrivez|calcule|calculez|propose|suggère|trouve|trouvez|vérifie|vérifiez|génère|générez|reformule|améliore|continue|continuez|cherche|cite)\\b`,
    `(?:peux|pouvez|pourrais|pourriez|sais|savez|connais|as|avez|y a) (?:tu|vous|t-il)`,
    `je (?:me demande|voudrais savoir|veux savoir|voulais savoir)|j'aimerais savoir`,
    `tu (?:te souviens|te rappelles|sais|connais|peux)|vous (?:savez|pouvez)`,
  ],
  es: [
    `(?:qué|quién|quiénes|cuándo|dónde|cómo|cuál|cuáles|cuánto|cuánta|cuántos|cuántas|por qué|a qué|de qué|en qué|con quién|para qué|adónde)`,
    `(?:dime|dígame|cuéntame|muéstrame|enséñame|explícame|explica|explique|dame|deme|ayúdame|recuérdame (?:qué|quién|cuándo|dónde|cómo|cuál)|recomiéndame|sugiéreme|búscame|escríbeme|hazme|léeme)`,
    `(?:traduce|traduzca|resume|resuma|lista|enumera|compara|corrige|corrija|calcula|calcule|escribe|escriba|describe|describa|genera|genere|encuentra|revisa|mejora|reescribe|convierte|ordena|arregla|sugiere|recomienda|busca|continúa|sigue|crea)`,
    `(?:puedes|puede|podrías|podría|sabes|sabe|recuerdas|te acuerdas|tienes|hay|me puedes|me podrías|debería|debo|quisiera saber|me gustaría saber|quiero saber|me pregunto)(?= |$)`,
  ],
  pt: [
    String.raw`(?:o que|que horas|quem|qual|quais|quanto|quanta|quantos|quantas|por que|porque é que|por quê|onde (?:é|fica|está|estão|posso|ficam|foi|eu)|quando (?:é|foi|será|começa|parte|chega|abre|fecha|tenho|vai|devo)|como (?:é|se|faço|posso|está|foi|funciona|chama|devo|eu faço)|de que|em que|a que)(?! (?:eu|nós) (?:quero|queria|disse|preciso|gosto))`,
    `(?:diz-me|diga-me|me diga|me diz|me fala|me fale|me conte|conta-me|mostra-me|me mostre|mostre-me|explica-me|me explica|me explique|explique|explica|dá-me|me dá|me dê|ajuda-me|me ajuda|me ajude|me lembra (?:o que|quem|qual|quando|onde|como)|lembra-me (?:o que|quem|qual|quando|onde|como)|me recomende|recomenda-me|sugere|sugira|recomende)`,
    `(?:traduz|traduza|resume|resuma|lista|liste|compara|compare|corrige|corrija|calcula|calcule|escreve|escreva|descreve|descreva|gera|gere|encontra|encontre|revisa|revise|melhora|melhore|reescreve|reescreva|converte|converta|ordena|ordene|continue|procure|procura|crie|cria)`,
    `(?:podes|pode|poderias|poderia|consegues|consegue|sabes|sabe|lembras-te|você sabe|você lembra|você pode|tens|tem como|há|devo|será que|gostaria de saber|queria saber|quero saber)(?= |$)`,
  ],
  it: [
    String.raw`(?:cosa|che cosa|che ora|che tipo|che differenza|chi (?:è|sono|ha|era|mi|ti)|qual|quale|quali|dove|dov'è|quanto|quanta|quanti|quante|perché|com'è|cos'è|quand'è|quando (?:è|sono|inizia|comincia|parte|arriva|apre|chiude|devo|posso|ho|avrò)|come (?:si|posso|faccio|funziona|è|sono|mai|devo|ti|mi|chiamo))(?! (?:ho|voglio|vorrei) (?:è|sono)\b)`,
    `(?:dimmi|mi dica|raccontami|mostrami|spiegami|spiega|dammi|aiutami|ricordami (?:cosa|chi|dove|quando|come|qual|quale)|consigliami|suggeriscimi|trovami|scrivimi|fammi|leggimi|elencami)`,
    `(?:traduci|traduca|riassumi|elenca|confronta|correggi|calcola|scrivi|descrivi|genera|trova|controlla|migliora|riscrivi|converti|ordina|sistema|suggerisci|consiglia|cerca|continua|crea|proponi)`,
    `(?:puoi|può|potresti|potrebbe|sai|sa dirmi|ti ricordi|ricordi|hai|c'è|ci sono|devo|dovrei|posso|mi puoi|mi potresti|vorrei sapere|mi chiedo|voglio sapere)(?= |$)`,
  ],
  ru: [
    String.raw`(?:где|куда|откуда|кто|почему|зачем|какой|какая|какое|какие|какого|какую|каком|каким|сколько|чей|чья|чьё|чьи|кому|кого|чем|о чём|о чем|во сколько|с кем)`,
    String.raw`(?:что|когда|как)(?! (?:я|мы|он|она|они|мне|всегда|обычно|только|раз)(?= |$))`,
    `(?:скажи|скажите|расскажи|расскажите|покажи|покажите|объясни|объясните|дай|дайте|помоги|помогите|напомни|напомните|посоветуй|посоветуйте|подскажи|подскажите|назови|назовите|найди|найдите|напиши|напишите|переведи|переведите|сравни|сравните|исправь|исправьте|посчитай|вычисли|опиши|опишите|перечисли|перечислите|проверь|проверьте|сделай|сделайте|предложи|предложите|составь|составьте|сократи|продолжай|продолжи|придумай)(?= |$)(?! мне (?:купить|позвонить))`,
    `(?:можешь|можете|не мог бы|не могли бы|мог бы|знаешь|знаете|помнишь|помните|есть ли|можно ли|нужно ли|стоит ли|правда ли|хочу узнать|хотел бы узнать|интересно)(?= |$|,)`,
  ],
  ja: [
    `(?:何|なに|なん|誰|だれ|どこ|いつ|なぜ|どうして|どうやって|どの|どれ|どんな|どちら|いくら|いくつ|どう|どういう)(?!でも|も|か(?!な|ら))`,
    `(?:教えて|おしえて|説明して|手伝って)`,
  ],
  zh: [
    `(?:什么|谁|哪|为什么|怎么|怎样|如何|几点|几个|多少|多久|多大|何时|是否|能不能|可不可以|有没有|是不是|会不会|要不要|请问)`,
    `(?:请|麻烦你?|帮我|帮忙|能否)?(?:告诉我|给我(?:讲|说|看|推荐|列|写)|解释|说明|列出|翻译|总结|概括|比较|推荐|描述|写一|修复|检查|计算|生成|改写|继续|介绍|找出|查一下|提醒我(?:什么|谁|哪|几))`,
  ],
}

/** How sentences end that ask or request something, in languages that have the verb, or a particle, last. */
const ENDINGS: Record<string, string[]> = {
  ja: [
    `(?:です|ます|でし|まし|ません|でした|ました|ましょう|でしょう|のだろう|だろう)(?:た)?か(?:ね|な)?`,
    `(?:かな|かしら|だっけ|でしたっけ|ましたっけ|たっけ|のか|んだろう|って何|とは|は何|はどこ|は誰|はいつ|はいくら)`,
    `(?:教えて|おしえて|説明して|見せて|手伝って|書いて|直して|作って|訳して|翻訳して|要約して|まとめて|調べて|探して|比べて|比較して|確認して|提案して|続けて|思い出させて|おすすめして|挙げて|計算して|修正して|並べて|読んで|言って|話して|注文して|予約して|選んで)(?:ください|下さい|ほしい|欲しい|くれる|くれ|もらえますか|いただけますか|よ|ね)?`,
    `(?:教えてほしいです|お願いします|をお願い|を頼む|を頼みます|が知りたい|が知りたいです)`,
  ],
  zh: [
    `(?:吗|呢|么)`,
    `(?:是什么|是谁|在哪里|在哪儿|在哪|是多少|是几号|怎么样|怎么办|什么时候|几点|多少钱|为什么|好不好|对不对|行不行)了?`,
  ],
}

/** Words that greet or thank, and open a sentence without telling anything. */
const COURTESIES =
  String.raw`hi|hello|hey|there|good morning|good evening|good afternoon|ok|okay|so|well|and|also|now|then|but|please|thanks(?: a lot)?|thank you(?: (?:so|very) much)?|many thanks|in advance|again|great|cool|sorry|excuse me|quick question|one more thing|just wondering|actually|by the way|hmm+|um+|assistant|guys|everyone|cheers|alright|right|perfect|nice|good night|bye|
  |hallo|guten (?:tag|morgen|abend)|servus|moin|danke(?: (?:schön|sehr|dir|im voraus))?|vielen dank|bitte|also|und|aber|übrigens|gute nacht|tschüss|kurze frage|eine frage|noch eine frage|na gut|super|entschuldigung|sag mal|du|ähm|gut|nun|dann|
  |bonjour|salut|bonsoir|bonne nuit|coucou|merci(?: (?:beaucoup|d'avance))?|s'il (?:te|vous) plaît|svp|stp|alors|et|mais|au fait|dis|dites|d'accord|pardon|excusez-moi|excuse-moi|petite question|
  |hola|buenos días|buenas(?: tardes| noches)?|gracias(?: de antemano)?|muchas gracias|por favor|oye|y|pero|bueno|entonces|perdona|perdón|disculpa|vale|una pregunta|
  |olá|oi|bom dia|boa (?:tarde|noite)|obrigad[oa]|muito obrigad[oa]|por favor|mas|então|desculpa|desculpe|uma pergunta|
  |ciao|salve|buongiorno|buonasera|buonanotte|grazie(?: mille)?|per favore|per piacere|ma|allora|scusa|scusi|senti|una domanda|
  |привет|здравствуй(?:те)?|добрый (?:день|вечер)|доброе утро|спокойной ночи|спасибо(?: (?:большое|заранее))?|пожалуйста|а|и|но|ну|слушай(?:те)?|извини(?:те)?|кстати|
  |こんにちは|こんばんは|おはよう(?:ございます)?|ありがとう(?:ございます|ございました)?|すみません(?:が)?|ねえ|ねぇ|あの|えっと|ところで|では|じゃあ|それで|おやすみ(?:なさい)?|ちなみに|
  |你好|您好|嗨|晚安|谢谢(?:你|您)?|多谢|早上好|晚上好|不好意思|打扰一下|那么?|那|嗯|另外|对了|麻烦你?`.replaceAll(
    /\s*\n\s*\|/g,
    '|',
  )

/** Sentences in which the asker first tells something of themselves, and asks behind a comma. */
const TELLING_FIRST = [
  `(?:i|i'm|i've|i'd|i was|i will|my|we|we're|we've|our)\\b(?! (?:wonder|was wondering|need to know|want to know))[^,;:–—]{6,}(?:[,;:–—]| so | and )`,
  `(?:ich|mein|meine|meinem|meinen|wir|unser|unsere)\\b(?! (?:frage|wüsste|würde|möchte wissen))[^,;:–—]{6,}[,;:–—]`,
  `(?:je (?:suis|vis|travaille|m'appelle|ne mange)|j'ai|j'habite|j'aime|mon|ma|mes|nous|notre)(?= )[^,;:–—]{6,}[,;:–—]`,
  `(?:soy|tengo|vivo|trabajo|estoy|me llamo|mi|mis|somos|nuestro|nuestra)(?= )[^,;:–—]{6,}[,;:–—]`,
  `(?:sou|tenho|moro|trabalho|estou|eu|meu|minha|me chamo|chamo-me|nosso|nossa|somos)(?= )[^,;:–—]{6,}[,;:–—]`,
  `(?:sono|ho|vivo|abito|lavoro|mi chiamo|il mio|la mia|i miei|abbiamo|siamo)(?= )[^,;:–—]{6,}[,;:–—]`,
  `(?:я|у меня|меня зовут|мой|моя|моё|мои|мы|у нас)(?= )(?! (?:хочу|хотел|хотела))[^,;:–—]{5,}[,;:–—]`,
  `.{3,}(?:ですが|ますが|ましたが|んだけど|けど|けれど|ので|から)[、,]`,
  `(?:我|我们|我的)[^,，;；]{2,}[,，;；]`,
]

const anyOf = (lists: Record<string, string[]>): string => Object.values(lists).flat().join('|')

/** Behind a beginning there is no further letter of its word. Scripts without spaces have no such end. */
const SPACED_END = String.raw`(?![\p{L}\p{M}])`
const { ja, zh, ...spaced } = BEGINNINGS

export const BEGINS_ASKING = new RegExp(
  `^(?:(?:${anyOf(spaced)})${SPACED_END}|${anyOf({ ja: ja ?? [], zh: zh ?? [] })})`,
  'u',
)
export const ENDS_ASKING = new RegExp(`(?:${anyOf(ENDINGS)})$`, 'u')
export const TELLS_FIRST = new RegExp(`^(?:${TELLING_FIRST.join('|')})`, 'u')
/** Courtesies at the beginning, with what parts them from the rest. */
export const COURTESY = new RegExp(
  String.raw`^(?:(?:${COURTESIES})(?![\p{L}\p{M}'])|(?<=^)(?:你好|您好|请问|谢谢)(?=\p{Script=Han}))[\s,，、;:!！.…–—-]*`,
  'u',
)
