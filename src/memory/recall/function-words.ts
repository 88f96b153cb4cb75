import { wordsOf } from '../keyword/cut.ts'
import { STOP_WORDS } from '../keyword/query-terms.ts'

/** Words of nine languages that say how a sentence is built, and not what it is about; of English, those besides the stop words. */
const FUNCTION_WORDS: Record<string, string> = {
  en: `also done don't doesn't didn't ever get go got i'd i'll i'm i've isn't it's let like may maybe might much must
    oh ok okay one please really shall something still thank thanks that's thing things use wasn't what's whose yes
    yet you're hello hi hey tell say said want need give make new good nice great well`,
  de: `aber alle allem allen aller alles als also am an andere auch auf aus bei beim bin bis bist bitte da dabei dadurch
    dafür daher damals damit danach danke dann daran darauf darf darüber darum das dass dein deine deinem deinen deiner
    dem den denn denke der deren des dessen dich die dies diese diesem diesen dieser dieses dir doch dort du durch ein
    eine einem einen einer eines einfach einige er es etwas euch euer für gab ganz geht gern gerne gibt hab habe haben
    hallo hast hat hatte hatten hätte heißt hier hin ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im immer in ins ist ja
    jede jedem jeden jeder jetzt kann kannst kein keine keinem keinen können könnte könntest machen mag man mehr mein
    meine meinem meinen meiner meines mich mir mit möchte muss musst müssen nach nein nicht nichts noch nun nur ob oder
    ohne sag schon sehr sein seine seinem seinen seiner seit selbst sich sie sind so soll sollen sollte sonst über um und
    uns unser unsere unserem unseren unter viel vielleicht vom von vor wann war waren warum was weil weiter welche
    welchem welchen welcher welches wem wen wenn wer werde werden weshalb wie wieder wieso will willst wir wird wirst wo
    woher wohin wollen worden wurde wurden würde zu zum zur zwischen gut gute guten guter gutes`,
  fr: `ai aie alors as au aucun aussi autre aux avait avec avez avoir avons bien bonjour c'est ça ce cela ces cet cette ceux
    chez comme comment d'un d'une dans de des déjà dont du elle elles en encore es est et été êtes être eu fait faire
    faut il ils j'ai je jamais juste l'on la le les leur leurs lui ma mais me même merci mes moi moins mon ne ni non nos
    notre nous on ont ou où oui par parce pas peu peut peux plus plutôt pour pourquoi puis qu'il qu'elle quand que quel
    quelle quelles quels qui quoi s'il sa sans se sera ses si son sont sous suis sur ta te tes toi ton toujours tous tout
    toute toutes très trop tu un une va vais veux voici voilà vos votre vous y`,
  es: `a al algo algún alguna ante antes aquí así aún aunque bien cada como cómo con cual cuál cuáles cuando cuándo cuánto
    cuánta cuántos de del desde donde dónde dos el él ella ellas ellos en entonces era eres es esa ese eso esta está
    estaba están estar este esto estos estoy fue fui gracias ha había han has hasta hay he hola la las le les lo los más
    me mi mí mientras mis mucho muy nada ni no nos nosotros nuestra nuestro o otra otro para pero poco por porque puede
    puedes puedo pues que qué quien quién quiero se sea ser será si sí sin sobre son soy su sus también tan tanto te
    tener tengo ti tiene tienes todo todos tu tú tus un una uno unos usted vez y ya yo`,
  pt: `a agora ainda além algo alguém algum alguma ao aos apenas aquela aquele aqui as às até bem cada com como da das de
    dela dele depois desde dessa desse desta deste do dos e é ela elas ele eles em então era essa esse esta está estão
    estar estava este estou eu foi fui há isso isto já la lhe mais mas me mesmo meu meus minha minhas muito na nas não
    nem no nos nós nossa nosso num numa o obrigado obrigada olá onde os ou outra outro para pela pelo pode podes pois por
    porque porquê posso pouco qual quais quando quanto que quê quem quero são se sem ser seu seus sim só sobre sou sua
    suas também tão te tem tenho ter teu tua tudo um uma você vocês`,
  it: `a abbia abbiamo ad ai al alla alle allo allora anche ancora avere aveva bene c'è che chi ci ciao ciò come con cosa
    così cui da dai dal dalla dalle degli dei del della delle dello di dopo dove e è ed era ero essere fa fatto fino fra
    gli grazie ha hai hanno ho i il in io la le lei li lo loro lui ma me mi mia mie miei mio molto ne nei nel nella nelle
    nello no noi non nostra nostro o ogni ora per perché però più poco poi posso prima puoi può qual quale quali quando
    quanto quella quello questa queste questi questo qui se sei sempre senza si sì sia siamo sono sta stato su sua sue
    sugli sui sul sulla suo suoi te ti tra tu tua tue tuo tuoi tutti tutto un una uno va vi voglio voi vorrei`,
  ru: `а без бы был была были было быть в вам вас ваш ваша ваше во вот все всё всегда всех вы где да даже для до его ее её
    если есть еще ещё же за здесь и из или им их к как какая какие какого какой какое кем когда кого кому которая которые
    который кто ли либо меня мне мной мог могу может можешь можно мой моя моё мои моего моей моих мы на над надо нам нас
    наш наша не него нее неё нет ни них но ну о об один он она они оно от очень по под пожалуйста после потом потому
    почему при привет про раз с сам свой свою себе себя сейчас сколько со спасибо так также такой там тебе тебя твой твоя
    те тем то тогда того тоже только том тот тут ты у уже хочу чего чей чем через что чтобы чьи эта эти это этого этой
    этот я`,
  ja: `です ます でした ました ません ませ ない なかっ なく だっ だろ でしょ ください 下さい って とか から まで より など こと
    もの ため よう これ それ あれ ここ そこ あそこ どこ いつ だれ 誰 なに 何 なん どの どれ どう どんな どちら なぜ この その
    あの ある あり あっ いる いま する なる なり なっ できる でき れる られる せる させる 私 わたし あなた 僕 俺 君 彼 彼女 たち
    さん くん ちゃん そう また まだ もう とても ちょっと という について はい いいえ ありがとう ございます こんにちは お願い
    いくつ いくら 時 方 的 中 今`,
  zh: `的 了 是 在 我 你 您 他 她 它 我们 你们 他们 她们 有 没有 没 不 不是 也 都 就 和 与 或 或者 但 但是 而 而且 因为 所以 如果
    这 那 这个 那个 这些 那些 这里 那里 什么 谁 哪 哪里 哪个 哪儿 几 多少 怎么 怎样 如何 为什么 什么时候 吗 呢 吧 啊 呀 嘛 么
    很 太 更 最 还 又 再 才 会 能 可以 可能 要 想 请 请问 谢谢 你好 把 被 给 对 对于 关于 从 到 上 下 中 里 着 过 得 地 之 个
    一个 一 两 些 一些 时候 现在 已经 应该 需要 让 用`,
}

/** What people ask a model to do, and the form of its answer: no memory is about it. */
const TASK_WORDS: Record<string, string> = {
  en: `write rewrite translate explain summarize summarise describe list sort fix correct rename convert compare suggest
    recommend draft generate create add remove find search show order send continue try again format shorten shorter longer
    formal improve name mean means text sentence sentences paragraph bullet points word words spelling comment comments above
    language english finnish german two three four five ten`,
  de: `schreib schreibe schreiben übersetze übersetzen erkläre erklären fasse zusammen zusammenfassen beschreibe beschreiben
    liste sortiere sortieren behebe beheben korrigiere korrigieren benenne umbenennen vergleiche schlage vor empfiehl entwirf
    erstelle füge hinzu entferne finde suche zeige bestell bestelle schick mach mache machen versuch versuche kürzer länger
    förmlicher bedeutet heißt text satz sätze absatz stichpunkt stichpunkten wort wörter rechtschreibung kommentar oben
    englisch englische finnische`,
  fr: `écris écrire traduis traduire explique expliquer résume résumer décris liste trie corrige renomme compare propose suggère
    recommande ajoute trouve cherche montre continue essaie améliore signifie texte phrase paragraphe mot mots commentaire`,
  es: `escribe escribir traduce traducir explica explicar resume resumir describe lista ordena corrige arregla renombra compara
    sugiere recomienda añade busca encuentra muestra continúa intenta mejora significa texto frase párrafo palabra palabras
    comentario`,
  pt: `escreve escreva traduz traduza explica explique resume resuma descreve lista ordena corrige compara sugere recomenda
    adiciona busca encontra mostra continua tenta melhora significa texto frase parágrafo palavra palavras comentário`,
  it: `scrivi scrivere traduci tradurre spiega spiegare riassumi descrivi elenca ordina correggi rinomina confronta suggerisci
    consiglia aggiungi cerca trova mostra continua prova migliora significa testo frase paragrafo parola parole commento`,
  ru: `напиши переведи объясни сократи опиши перечисли отсортируй исправь переименуй сравни предложи посоветуй добавь найди
    покажи продолжай попробуй улучши значит текст предложение абзац слово слова комментарий`,
  ja: `書い 書く 訳し 訳す 翻訳 翻訳し 説明 説明し 要約 まとめ 直し 直す 修正 直 並べ 変え 付け 続け 探し 見せ 教え 調べ 比べ 比較 作っ
    注文 短く 丁寧 意味 文 文章 段落 語 言葉 要点 リスト コメント 上`,
  zh: `写 写一 翻译 解释 总结 概括 描述 列出 排序 修复 改正 重命名 比较 推荐 建议 添加 查找 搜索 显示 继续 试 改进 意思 文字 句子 段落
    单词 评论 上面`,
}

/** What people say who do not know: an answer of such words answers nothing. */
const NOT_KNOWING: Record<string, string> = {
  en: `know known sorry unfortunately information record records access afraid unsure sure idea answer able unable can't
    cannot couldn't haven't mention mentioned told shared remember recall detail details data find found available provided
    personal previous earlier conversation conversations memory apologize help clue`,
  de: `weiß wissen leider information informationen angabe angaben tut leid ahnung sorry erwähnt gesagt erinnern erinnere
    bekannt daten zugriff antwort finden gefunden keinerlei helfen mitgeteilt`,
  fr: `sais savoir désolé désolée malheureusement information informations aucune idée réponse mentionné souviens rappelle
    connais données accès trouve trouvé`,
  es: `sé saber siento lamento desgraciadamente lamentablemente información idea respuesta ninguna mencionado recuerdo
    conozco datos acceso encontrado`,
  pt: `sei saber desculpe desculpa infelizmente informação informações ideia resposta mencionou lembro conheço dados acesso
    nenhuma encontrei`,
  it: `so sapere dispiace scusa purtroppo informazione informazioni idea risposta menzionato ricordo conosco dati accesso
    nessuna trovato`,
  ru: `знаю известно извините извини сожалению жаль информации информация данных ответа помню упоминали доступа нашел нашёл`,
  ja: `分かり わかり 分から わから 知り 存じ 申し訳 すみません ごめん ごめんなさい 残念 情報 覚え 記録 回答 不明`,
  zh: `知道 不知道 抱歉 对不起 遗憾 信息 记得 不记得 记录 答案 清楚 不清楚 提到 了解`,
}

const withStopWords = (...lists: Record<string, string>[]): ReadonlySet<string> =>
  STOP_WORDS.union(new Set(lists.flatMap((list) => Object.values(list).flatMap(wordsOf))))

const functionWords = withStopWords(FUNCTION_WORDS)
const taskWords = withStopWords(FUNCTION_WORDS, TASK_WORDS)
const answerlessWords = withStopWords(FUNCTION_WORDS, NOT_KNOWING)

/** Japanese writes its endings and particles so: one or two syllables. */
const SHORT_KANA = /^[\u3041-\u309F]{1,2}$/u
/** A letter alone is an ending behind an apostrophe, a particle or a conjunction; an ideograph may be a word. */
const ONE_LETTER = /^[\p{L}--\p{Script=Han}]$/v

const saysSomething = (word: string, without: ReadonlySet<string>): boolean =>
  !without.has(word) && !SHORT_KANA.test(word) && !ONE_LETTER.test(word)

/** `word`: as `wordsOf` has it. */
export const isContentWord = (word: string): boolean => saysSomething(word, functionWords)

/** The same of a query, in which the words of a task say nothing. */
export const isAskedWord = (word: string): boolean => saysSomething(word, taskWords)

/** The words of a text that say what it is about, as the keyword index has them. */
export const contentWords = (text: string): Set<string> => new Set(wordsOf(text).filter(isContentWord))

/** Content words of an answer: those of not knowing say nothing. */
export const answeringWords = (text: string): Set<string> =>
  new Set(wordsOf(text).filter((word) => saysSomething(word, answerlessWords)))
