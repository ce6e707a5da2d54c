// Speaks the protocol of main.rs beside this file for nneonneo/2048-ai.
//
// Nothing of that program is here: this file is compiled in its folder, where it includes its source. Its own configure
// finds std::unordered_map; without it the program falls back to std::map and is four times slower.
//
//     git clone https://github.com/nneonneo/2048-ai && cd 2048-ai && ./configure
//     g++ -O3 -fPIC -I. -o nneonneo PATH/TO/afterstate/benches/peers/nneonneo.cpp
//     cargo bench --bench peers -- ./nneonneo      in the folder of Afterstate, with the path of this program
//
// Depth: its limit d counts the slides after the first, so a search of 2d + 1 plies has limit d. Its own rule, which takes
// the limit from the distinct tiles, is not asked: the plies are those of the question.

#define main main_of_the_peer
#include "2048.cpp"
#undef main

#ifndef HAVE_UNORDERED_MAP
#error "run ./configure first: without std::unordered_map this program is four times slower than it is"
#endif

#include <ctime>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace {

struct Question {
    board_t board;
    int limit;
};

// Sixteen ranks in hexadecimal, in reading order; the program has the first cell in its lowest nibble.
board_t read_board(const std::string &digits) {
    board_t board = 0;
    for (int cell = 0; cell < 16; ++cell) {
        board |= board_t(std::stoi(digits.substr(cell, 1), nullptr, 16)) << (4 * cell);
    }
    return board;
}

// As its find_best_move does, without printing and with the limit that is asked for.
int decide(const Question &question) {
    float best = 0;
    int best_move = -1;
    for (int move = 0; move < 4; ++move) {
        eval_state state;
        state.depth_limit = question.limit;
        float value = _score_toplevel_move(state, question.board, move);
        if (best < value) {
            best = value;
            best_move = move;
        }
    }
    return best_move;
}

double cpu_seconds() {
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

}  // namespace

int main() {
    static const char *const names[] = {"up", "down", "left", "right"};
    init_tables();
    std::vector<Question> questions;
    std::string line;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        std::string first;
        int number = 0;
        words >> first >> number;
        if (first != "go") {
            // The threshold of reach that follows is its own constant, 0.0001.
            questions.push_back({read_board(first), (number - 1) / 2});
            continue;
        }
        std::vector<int> moves(questions.size());
        double start = cpu_seconds();
        for (int time = 0; time < number; ++time) {
            for (size_t at = 0; at < questions.size(); ++at) {
                moves[at] = decide(questions[at]);
            }
        }
        double seconds = cpu_seconds() - start;
        for (int move : moves) {
            std::cout << (move < 0 ? "none" : names[move]) << '\n';
        }
        std::cout << seconds << std::endl;
        questions.clear();
    }
}
