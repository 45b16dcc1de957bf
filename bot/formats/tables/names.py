"""Names: what teachers call the columns of a question sheet, in many languages."""

import re
import unicodedata


def simplified(name: str) -> str:
    """Write a column's name in one way: small, no accents, no remarks behind it, no signs.

    "Time limit (sec) - 5, 10, 20" is "time limit", and "Réponse_1" is "reponse 1".
    """
    name = re.split(r"\s[-–—]\s|[(\[:]", name.strip().lstrip("*"), maxsplit=1)[0]
    folded = unicodedata.normalize("NFKD", name.casefold())
    bare = "".join(sign for sign in folded if not unicodedata.combining(sign))
    bare = re.sub(r"[_.°?*!/\\]+", " ", unicodedata.normalize("NFC", bare))
    return " ".join(bare.split())


_LISTS = {
    "stem": """
        question, questions, question text, questiontext, stem, prompt, front, soal, pertanyaan,
        teks soal, butir soal, pregunta, preguntas, enunciado, texto de la pregunta, frage, fragen,
        fragetext, pergunta, perguntas, questao, questoes, вопрос, вопросы, текст вопроса, питання,
        domanda, domande, spurning, intrebare, intrebarea, pytanie, vraag, soru, otazka, kysymys,
        fråga, fraga, spørsmål, spørgsmål, kérdés, ερωτηση, 問題, 问题, 题目, 題目, 질문, 문제,
        السؤال, سؤال, שאלה, प्रश्न, सवाल, câu hỏi
    """,
    "key": """
        correct, correct answer, correct answers, correct option, correct options, correct choice,
        correct number, correct index, correct answer index, correct option index,
        correct option number, correctanswer, right answer, right answers, right option, answer,
        answers, answer key, answer index, key, solution, solutions, back,
        kunci, kunci jawaban, jawaban, jawaban benar, jawaban yang benar, opsi benar,
        correcta, correcto, respuesta, respuesta correcta, respuestas correctas, opcion correcta,
        solucion, bonne reponse, bonnes reponses, reponse, reponse correcte, reponses correctes,
        reponse juste, solution correcte, richtig, korrekt, richtige antwort, richtige antworten,
        korrekte antwort, losung, antwort, correta, resposta, resposta correta,
        respostas corretas, alternativa correta, opcao correta, gabarito,
        правильный ответ, правильные ответы, правильный, правильный вариант, верный ответ,
        верные ответы, ответ, відповідь, правильна відповідь, risposta, corretta, risposta corretta,
        risposte corrette, raspuns, raspuns corect, odpowiedz, poprawna odpowiedz, antwoord,
        juiste antwoord, cevap, dogru cevap, svar, rett svar, svar rett, απαντηση, σωστη απαντηση,
        答案, 正确答案, 正解, 答え, 정답, 답, الجواب, الإجابة, الإجابة الصحيحة, תשובה, תשובה נכונה,
        उत्तर, सही उत्तर, đáp án, đáp án đúng
    """,
    "wrong": """
        incorrect, incorrect answer, incorrect answers, incorrectanswers, wrong answer,
        wrong answers, distractor, distractors, jawaban salah, pengecoh, incorrecta,
        respuesta incorrecta, respuestas incorrectas, distractor es, distractores,
        mauvaise reponse, mauvaises reponses, reponse fausse, falsch, falsche antwort,
        falsche antworten, resposta incorreta, respostas incorretas, resposta errada,
        неправильный ответ, неправильные ответы, неверный ответ, неверные ответы, risposta errata,
        risposta sbagliata, risposte errate
    """,
    "options": """
        options, choices, answer options, answer choices, alternatives, opsi, pilihan,
        pilihan jawaban, opciones, alternativas, choix, propositions, reponses, antworten,
        antwortmoglichkeiten, auswahl, opcoes, варианты, варианты ответа, варианты ответов, ответы,
        opzioni, risposte, odpowiedzi
    """,
    "explanation": """
        explanation, explanations, rationale, feedback, general feedback, comment, comments,
        explain, penjelasan, pembahasan, alasan, umpan balik, explicacion, justificacion,
        retroalimentacion, explication, justification, commentaire, retroaction, erklarung,
        erlauterung, begrundung, kommentar, explicacao, justificativa, comentario, feedback geral,
        объяснение, пояснение, комментарий, spiegazione, commento, wyjasnienie, uitleg, aciklama,
        解説, 解释, 解析, شرح, الشرح, التفسير, הסבר, giải thích
    """,
    "seconds": """
        time, time limit, timelimit, time in seconds, seconds, sec, secs, timer, duration, waktu,
        batas waktu, detik, durasi, tiempo, tiempo limite, limite de tiempo, segundos, temps,
        temps limite, limite de temps, duree, secondes, zeit, zeitlimit, sekunden, tempo,
        tempo limite, limite de tempo, время, лимит времени, секунды, secondi, czas
    """,
    "tags": """
        tags, tag, category, categories, topic, topics, subject, difficulty, level, kategori,
        topik, mata pelajaran, tingkat kesulitan, categoria, categorias, tema, temas, etiqueta,
        etiquetas, dificultad, nivel, categorie, theme, sujet, difficulte, niveau, kategorie,
        thema, schlagworter, schwierigkeit, dificuldade, assunto, категория, тема, теги,
        сложность, argomento, difficolta, flokkur, التصنيف
    """,
    "type": """
        type, question type, questiontype, kind, tipe, tipe soal, jenis, jenis soal, tipo,
        tipo de pregunta, typ, fragetyp, type de question, tipo de pergunta, tipo de questao, тип,
        тип вопроса
    """,
    "index": """
        #, no, nr, n, nomor, number, id, question number, question no, question n, question id,
        urutan, numero, nummer, lp, номер, №, 番号, 序号
    """,
    "id": "item id",
    "settings": "settings",
    "format": "format",
}
_NUMBERED = """
    answer, option, choice, opt, ans, answer option, opsi, pilihan, jawaban, opcion, respuesta,
    reponse, choix, proposition, antwort, antwortmoglichkeit, auswahl, opcao, alternativa, resposta,
    вариант, вариант ответа, ответ, відповідь, risposta, opzione, odpowiedz, odpoved, raspuns,
    varianta, secenek, cevap, antwoord, svar, alternativ, απαντηση, επιλογη, 选项, 選択肢, 선택지,
    보기, خيار, الخيار, الإجابة, אפשרות, תשובה, विकल्प, đáp án
"""
_POINTS = "points, point, score, poin, skor, puntos, punkte, pontos, баллы, weight, fraction"
_REASONS = """
    feedback, explanation, rationale, comment, penjelasan, umpan balik, retroalimentacion,
    explication, erklarung
"""


def _words(names: str) -> frozenset[str]:
    return frozenset(simplified(name) for name in names.split(",") if name.strip())


ROLES = {word: role for role, names in _LISTS.items() for word in _words(names)}
NUMBERED = {
    **dict.fromkeys(_words(_NUMBERED), "option"),
    **dict.fromkeys(_words(_LISTS["wrong"]), "wrong"),
    **dict.fromkeys(_words(_POINTS), "points"),
    **dict.fromkeys(_words(_REASONS), "reason"),
    "credit": "credit",
}
COUNTS = re.compile(r"number|index|\bno\b|nomor|numero|número|nummer|номер|choose at least one")
TRUE = _words("true, t, yes, benar, betul, ya, verdadero, si, vrai, oui, wahr, richtig, ja, "
              "verdadeiro, sim, верно, да, правда, vero, 1, ✓")  # fmt: skip
FALSE = _words("false, f, no, salah, tidak, falso, faux, non, falsch, nein, nao, неверно, нет, "
               "ложь, 0, ✗")  # fmt: skip
