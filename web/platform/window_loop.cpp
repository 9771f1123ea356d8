// Window, graphics context and main loop: when a frame is drawn, and when none is.
//
// GLFW gives the window and the WebGL2 context, and nothing else. Its input is not used: Emscripten's port
// sends each tap twice, reverses the wheel, loses composed text, key-up with the Command key and AltGr
// characters, and knows no pixel ratio; which of those differs from version to version. For the same reason
// ImGui's GLFW backend, which relies on that input, is replaced by the few lines in `run_frame`.

#include "bridge.h"

#define GLFW_INCLUDE_NONE
#include <GLES3/gl3.h>
#include <GLFW/glfw3.h>
#include <emscripten.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>
#include <imgui_internal.h>

#include <algorithm>

namespace megamem::web::platform {

extern "C" {
void mm_js_watch_context();
void mm_js_forget_gl_objects();
}

namespace {

App the_app;
int frames_left = 0;
int frame_count = 0;
bool paused = false;
bool started = false;
bool context_lost = false;
bool inside_frame = false;
int calls_due = 0;  // of after_unseen
double last_frame_time = 0.0;

// The clamp keeps animations from jumping after a pause. It must stay above the 0.3 s of a double tap: ImGui
// adds up these deltas, and a smaller clamp would make two taps with a pause between them a double one.
float delta_time() {
    const double now = emscripten_get_now();
    const double elapsed = (now - last_frame_time) / 1000.0;
    last_frame_time = now;
    return std::clamp(static_cast<float>(elapsed), 0.001f, 0.5f);
}

void run_frame(bool draw) {
    inside_frame = true;
    apply_canvas_size();
    const Size size = canvas_size();

    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = ImVec2(static_cast<float>(size.width), static_cast<float>(size.height));
    io.DisplayFramebufferScale = ImVec2(1.0f, 1.0f);
    io.DeltaTime = delta_time();
    if (draw) ImGui_ImplOpenGL3_NewFrame();
    begin_recording();
    ImGui::NewFrame();
    the_app.draw();
    ImGui::Render();
    end_recording();

    if (draw) {
        const ImVec4 background = ImGui::GetStyleColorVec4(ImGuiCol_WindowBg);
        glViewport(0, 0, size.width, size.height);
        glClearColor(background.x, background.y, background.z, 1.0f);
        glClear(GL_COLOR_BUFFER_BIT);
        ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    }
    update_cursor();
    update_text_input();
    ++frame_count;
    inside_frame = false;
}

void on_animation_frame() {
    if (context_lost) return;
    if (frames_left > 0) --frames_left;
    run_frame(true);
    if (frames_left == 0 && !wants_more_frames()) {
        paused = true;
        emscripten_pause_main_loop();
    }
}

void set_up_imgui() {
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.BackendPlatformName = "megamem_web";
    io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    io.ConfigInputTextCursorBlink = false;  // a blinking caret would cost two frames a second for ever
    io.ConfigMacOSXBehaviors = is_mac();
}

}  // namespace

const App& app() {
    return the_app;
}
int frames_drawn() {
    return frame_count;
}
bool is_idle() {
    return paused && calls_due == 0;
}

bool start(const App& app) {
    the_app = app;
    if (!glfwInit()) {
        fail("The window could not be set up.");
        return false;
    }
    set_up_canvas();  // measures first, so that the first frame has its final size
    const Size size = canvas_size();
    glfwWindowHint(GLFW_ALPHA_BITS, 0);
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    GLFWwindow* window = glfwCreateWindow(size.width, size.height, "", nullptr, nullptr);
    if (window == nullptr) {
        fail(
            "This browser gave no WebGL2 graphics. Hardware acceleration may be switched off in its "
            "settings.");
        return false;
    }
    glfwMakeContextCurrent(window);
    set_up_imgui();
    if (!ImGui_ImplOpenGL3_Init("#version 300 es")) {
        fail("The WebGL2 graphics could not be set up.");
        return false;
    }
    mm_js_watch_context();
    set_up_page();
    set_up_document();
    set_up_keyboard();
    set_up_text_input();
    set_up_pointer();
    set_up_clipboard();
    set_up_files();
    set_up_link();
    set_up_tests();

    if (the_app.display_changed != nullptr) the_app.display_changed(scale());
    last_frame_time = emscripten_get_now();
    started = true;
    frames_left = 3;
    emscripten_set_main_loop(on_animation_frame, 0, false);
    return true;
}

void wake(int frames) {
    frames_left = std::max(frames_left, frames);
    // Resuming a loop that runs would start a second one.
    if (!started || !paused || context_lost) return;
    paused = false;
    emscripten_resume_main_loop();
}

void after(int milliseconds, void (*function)()) {
    emscripten_async_call(
        [](void* argument) {
            reinterpret_cast<void (*)()>(argument)();
            wake();
        },
        reinterpret_cast<void*>(function), std::max(milliseconds, 0));
}

void after_unseen(int milliseconds, void (*function)()) {
    ++calls_due;
    emscripten_async_call(
        [](void* argument) {
            --calls_due;
            reinterpret_cast<void (*)()>(argument)();
        },
        reinterpret_cast<void*>(function), milliseconds);
}

void flush_input() {
    if (!started || inside_frame || context_lost) return;
    constexpr int most_frames = 8;  // ImGui spreads quick input over frames: a tap takes four
    for (int i = 0; i < most_frames; ++i) {
        run_frame(false);
        if (ImGui::GetCurrentContext()->InputEventsQueue.empty()) break;
    }
    wake();
}

extern "C" {

EMSCRIPTEN_KEEPALIVE void mm_on_wake() {
    wake();
}
EMSCRIPTEN_KEEPALIVE void mm_on_flush() {
    flush_input();
}

EMSCRIPTEN_KEEPALIVE void mm_on_context_lost() {
    context_lost = true;
    if (paused) return;
    paused = true;
    emscripten_pause_main_loop();
}

EMSCRIPTEN_KEEPALIVE void mm_on_context_restored() {
    // All GL objects went with the old context. Forgetting their names first keeps the deletes that follow
    // from reaching the new one, which would complain about each.
    mm_js_forget_gl_objects();
    ImGui_ImplOpenGL3_DestroyDeviceObjects();
    context_lost = false;
    wake();
}

}  // extern "C"

}  // namespace megamem::web::platform
